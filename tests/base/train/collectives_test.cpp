// Tests several processes that train together. In these tests, each process is a thread with a separate
// connection.

#include <cstdlib>
#include <cstring>
#include <functional>
#include <future>
#include <map>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/numerics/torch/device.h"
#include "base/train/collectives/collective_backend.h"
#include "base/train/collectives/launch.h"
#include "base/train/collectives/shared_step.h"
#include "support/free_port.h"

namespace molgauge::train {
namespace {

using testing::HasSubstr;

/// Sets environment variables during its lifetime. An empty text removes a variable.
class Environment {
 public:
  explicit Environment(const std::map<std::string, std::string>& variables) {
    for (const char* name : {"RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", "LOCAL_RANK",
                             "LOCAL_WORLD_SIZE", "TORCHELASTIC_USE_AGENT_STORE"}) {
      unsetenv(name);
    }
    for (const auto& [name, value] : variables) {
      setenv(name.c_str(), value.c_str(), 1);
      names_.push_back(name);
    }
  }
  ~Environment() {
    for (const std::string& name : names_) {
      unsetenv(name.c_str());
    }
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  std::vector<std::string> names_;
};

TEST(Launch, IsReadFromTheEnvironment) {
  {
    const Environment none({});
    EXPECT_FALSE(launch_of_environment());
  }
  {
    const Environment alone({{"RANK", "0"}, {"WORLD_SIZE", "1"}});
    EXPECT_FALSE(launch_of_environment());
  }
  const Environment two({{"RANK", "1"},
                         {"WORLD_SIZE", "2"},
                         {"MASTER_ADDR", "node7"},
                         {"MASTER_PORT", "29500"},
                         {"LOCAL_RANK", "1"},
                         {"LOCAL_WORLD_SIZE", "2"}});
  const auto launch = launch_of_environment();
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->rank, 1U);
  EXPECT_EQ(launch->processes, 2U);
  EXPECT_EQ(launch->local_rank, 1U);
  EXPECT_EQ(launch->local_processes, 2U);
  EXPECT_EQ(launch->address, "node7");
  EXPECT_EQ(launch->port, 29500);
}

TEST(Launch, NonsenseIsRefusedByName) {
  const std::map<std::string, std::string> good = {
      {"RANK", "1"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "node7"}, {"MASTER_PORT", "29500"}};
  const std::vector<std::pair<std::string, std::string>> wrong = {{"RANK", "2"},
                                                                  {"RANK", "-1"},
                                                                  {"RANK", "one"},
                                                                  {"RANK", ""},
                                                                  {"WORLD_SIZE", "0"},
                                                                  {"WORLD_SIZE", "1e3"},
                                                                  {"WORLD_SIZE", ""},
                                                                  {"MASTER_PORT", "0"},
                                                                  {"MASTER_PORT", ""},
                                                                  {"MASTER_PORT", "99999"},
                                                                  {"MASTER_ADDR", ""},
                                                                  {"LOCAL_RANK", "7"},
                                                                  {"LOCAL_WORLD_SIZE", "3"}};
  for (const auto& [name, value] : wrong) {
    std::map<std::string, std::string> variables = good;
    variables[name] = value;
    const Environment environment(variables);
    try {
      launch_of_environment();
      ADD_FAILURE() << name << "=" << value;
    } catch (const UsageError& problem) {
      EXPECT_THAT(problem.what(), HasSubstr(name)) << value;
    }
  }
  std::map<std::string, std::string> agent = good;
  agent["TORCHELASTIC_USE_AGENT_STORE"] = "True";
  const Environment environment(agent);
  EXPECT_THROW(launch_of_environment(), UsageError);
}

/// Runs work(group) in this many "processes" at once. Returns the errors that they threw.
std::vector<std::string> in_processes(std::size_t count, const std::function<void(ProcessGroup&)>& work,
                                      double patience = 60) {
  const std::uint16_t port = test::free_port();
  std::vector<std::future<std::string>> processes;
  for (std::size_t rank = 0; rank < count; ++rank) {
    processes.push_back(std::async(std::launch::async, [&, rank] {
      const Launch launch{.rank = rank,
                          .processes = count,
                          .local_rank = rank,
                          .local_processes = count,
                          .address = "127.0.0.1",
                          .port = port};
      try {
        ProcessGroup group(launch, patience);
        try {
          work(group);
        } catch (const std::exception& problem) {
          group.leave(problem);
          return std::string(problem.what());
        }
      } catch (const std::exception& problem) {
        return std::string(problem.what());
      }
      return std::string();
    }));
  }
  std::vector<std::string> problems;
  for (auto& process : processes) {
    problems.push_back(process.get());
  }
  return problems;
}

/// The number of processes in the largest test.
constexpr std::size_t kMaxProcesses = 3;

class Processes : public testing::Test {
 protected:
  void SetUp() override {
    if (!can_exchange()) {
      GTEST_SKIP() << "this build has neither Gloo nor NCCL";
    }
    // NCCL refuses two processes on one GPU.
    if (exchanges_through_gpus() && torch::gpu_count() < kMaxProcesses) {
      GTEST_SKIP() << "this build has NCCL alone, and there are fewer than " << kMaxProcesses << " GPUs";
    }
  }
};

const std::vector<std::string> kTwoGood(2), kThreeGood(3);

TEST_F(Processes, TextsOfTheFirst) {
  EXPECT_EQ(in_processes(2,
                         [](ProcessGroup& group) {
                           EXPECT_EQ(group.text_of_first(group.is_first() ? "first" : "other"), "first");
                           EXPECT_EQ(group.text_of_first(group.is_first() ? "" : "other"), "");
                           group.meet();
                         }),
            kTwoGood);
  const auto problems = in_processes(2, [](ProcessGroup& group) {
    require_same(group, group.is_first() ? "lr 0.1" : "lr 0.2", "options");
    group.meet();
  });
  EXPECT_THAT(problems[1], HasSubstr("process 1 was started with other options than process 0"));
  EXPECT_THAT(problems[0], HasSubstr("process 1 of 2 has ended: process 1 was started with other options"));
}

/// The sums of shards are added in the order of the shards, regardless of which process computes a shard.
TEST_F(Processes, SumsHaveTheBytesOfOneProcess) {
  constexpr std::int64_t kShards = 7;
  std::vector<ShardGradients> shards;
  for (std::int64_t i = 0; i < kShards; ++i) {
    at::Tensor first = at::randn({50, 3});
    first.index_put_({at::tensor({4}, at::kLong)}, -0.0);
    shards.push_back({first, i % 3 == 1 ? at::randn({5}) : at::Tensor(), at::Tensor()});
  }
  ShardGradients expected = {shards[0][0].clone(), shards[1][1].clone(), at::zeros({2})};
  for (std::int64_t i = 1; i < kShards; ++i) {
    expected[0].add_(shards[static_cast<std::size_t>(i)][0]);
  }
  expected[1].add_(shards[4][1]);
  const std::vector<RowRange> ranges = {{0, 3}, {3, 3}, {3, 7}};
  const auto problems = in_processes(3, [&](ProcessGroup& group) {
    const std::vector<Parameter> parameters = {{"a", at::zeros({50, 3}).requires_grad_(true)},
                                               {"b", at::zeros({5}).requires_grad_(true)},
                                               {"c", at::zeros({2}).requires_grad_(true)},
                                               {"frozen", at::zeros({2})}};
    SharedStep step(group, parameters);
    const RowRange own = ranges[group.rank()];
    for (int round = 0; round < 3; ++round) {
      // The third process repeats its step, as it does after it runs out of memory. The other processes wait.
      for (int attempt = 0; attempt < (group.rank() == 2 ? 2 : 1); ++attempt) {
        const at::Tensor rows = at::arange(own.first, own.last).to(at::kFloat).view({-1, 1}) + round;
        const at::Tensor all = step.gather("rows", rows, ranges);
        EXPECT_TRUE(at::equal(all, at::arange(0, kShards).to(at::kFloat).view({-1, 1}) + round));
        std::vector<ShardGradients> gradients(shards.begin() + own.first, shards.begin() + own.last);
        for (ShardGradients& shard : gradients) {
          shard.emplace_back();
        }
        step.sum(gradients);
      }
      step.next();
      for (std::size_t p = 0; p < 3; ++p) {
        const at::Tensor sum = parameters[p].value.grad();
        ASSERT_EQ(sum.sizes(), expected[p].sizes());
        EXPECT_EQ(std::memcmp(sum.data_ptr(), expected[p].data_ptr(), sum.nbytes()), 0) << p;
      }
      EXPECT_FALSE(parameters[3].value.grad().defined());
    }
  });
  EXPECT_EQ(problems, kThreeGood);
}

TEST_F(Processes, TheOthersAreToldWhyOneLeaves) {
  const auto problems = in_processes(3, [](ProcessGroup& group) {
    if (group.rank() == 1) {
      throw Error("the disk of this machine is full");
    }
    group.broadcast(at::ones({4}), 1);
    ADD_FAILURE() << "the operation never happens";
  });
  for (const std::size_t rank : {0, 2}) {
    EXPECT_EQ(problems[rank], "process 1 of 3 has ended: the disk of this machine is full");
  }
}

TEST_F(Processes, WhoDoesNotComeIsNamed) {
  const Launch launch{.rank = 0, .processes = 3, .address = "127.0.0.1", .port = test::free_port()};
  try {
    ProcessGroup group(launch, 1);
    ADD_FAILURE();
  } catch (const Error& problem) {
    EXPECT_THAT(problem.what(), HasSubstr("processes 1, 2 of 3 did not come to 127.0.0.1:"));
  }
  const Launch other{.rank = 1, .processes = 2, .address = "127.0.0.1", .port = test::free_port()};
  try {
    ProcessGroup group(other, 1);
    ADD_FAILURE();
  } catch (const Error& problem) {
    EXPECT_THAT(problem.what(), HasSubstr("process 1 of 2 found no process 0 at 127.0.0.1:"));
  }
}

}  // namespace
}  // namespace molgauge::train
