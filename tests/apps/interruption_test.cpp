// kill -9, Ctrl-C and a full disk at any moment: nothing finished is lost, and the same command again ends
// where an undisturbed one would have.

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/atomic_file.h"
#include "workplace.h"

namespace headroom::test {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;

/// Moments after the start, the first ones before the engine is even loaded.
std::vector<std::chrono::milliseconds> random_moments(std::size_t count, int longest_ms) {
  std::mt19937 random(20241);
  std::uniform_int_distribution<int> moment(200, longest_ms);
  std::vector<std::chrono::milliseconds> moments(count);
  for (auto& each : moments) {
    each = std::chrono::milliseconds(moment(random));
  }
  return moments;
}

TEST(Interruption, KilledEncodeContinues) {
  Workplace place;
  const std::string molecules = place.nci_molecules(4000);
  const std::vector<std::string> small_batches = {"--batch-atoms", "200", "--threads", "1"};
  for (const auto moment : random_moments(6, 1500)) {
    CommandOptions options;
    options.kill_after = moment;
    place.encode(molecules, small_batches, options);
  }
  const Outcome continued = place.encode(molecules, {"--out", place.path("continued.npy")});
  ASSERT_EQ(continued.exit_code, 0) << continued.err;
  EXPECT_EQ(headroom({"store", "verify", "--store", place.path("store")}).exit_code, 0);

  place.use_store("undisturbed");
  ASSERT_EQ(place.encode(molecules, {"--out", place.path("undisturbed.npy")}).exit_code, 0);
  EXPECT_EQ(read_file(place.path("continued.npy")), read_file(place.path("undisturbed.npy")));
}

class InterruptedTraining : public testing::Test {
 protected:
  void SetUp() override {
    const Outcome split = place_.split(place_.nci_molecules(1000), benchmark_);
    ASSERT_EQ(split.exit_code, 0) << split.err;
    ASSERT_EQ(train("undisturbed").exit_code, 0);
  }
  Outcome train(const std::string& run, const CommandOptions& options = {}) {
    return place_.train(benchmark_, place_.path(run),
                        {"--epochs", "40", "--patience", "100", "--batch-size", "64", "--eval-steps", "3"},
                        options);
  }
  void expect_equal_runs(const std::string& run) {
    for (const char* name : {"best_model.safetensors", "training_curve.csv", "training_dynamics.csv"}) {
      EXPECT_EQ(read_file(place_.path(run + "/" + name)),
                read_file(place_.path(std::string("undisturbed/") + name)))
          << name;
    }
  }
  Workplace place_;
  std::string benchmark_ = place_.path("benchmark.json");
};

TEST_F(InterruptedTraining, KilledTrainingContinues) {
  for (const auto moment : random_moments(6, 2500)) {
    CommandOptions options;
    options.kill_after = moment;
    train("killed", options);
  }
  const Outcome last = train("killed");
  ASSERT_EQ(last.exit_code, 0) << last.err;
  expect_equal_runs("killed");
}

TEST_F(InterruptedTraining, CtrlCEndsWith130AndContinues) {
  CommandOptions options;
  options.interrupt_after = 1200ms;
  const Outcome stopped = train("stopped", options);
  EXPECT_THAT(stopped.exit_code, testing::AnyOf(130, 0)) << stopped.err;
  ASSERT_EQ(train("stopped").exit_code, 0);
  expect_equal_runs("stopped");
}

TEST_F(InterruptedTraining, ACutOffCheckpointIsRefusedByName) {
  const auto checkpoints = std::filesystem::path(place_.path("undisturbed")) / "checkpoints";
  for (const auto& entry : std::filesystem::directory_iterator(checkpoints)) {
    std::filesystem::resize_file(entry.path(), std::filesystem::file_size(entry.path()) / 2);
  }
  const Outcome outcome = train("undisturbed");
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("checkpoints"));
}

TEST(Interruption, AFullDiskKeepsWhatIsFinished) {
  Workplace place;
  const std::string molecules = place.nci_molecules(2000);
  CommandOptions options;
  options.largest_file_bytes = 1 << 20;
  const Outcome full = place.encode(molecules, {"--batch-atoms", "500"}, options);
  EXPECT_EQ(full.exit_code, 1) << full.err;
  EXPECT_THAT(full.err, HasSubstr(place.path("store")));
  const Outcome continued = place.encode(molecules, {"--out", place.path("f.npy")});
  EXPECT_EQ(continued.exit_code, 0) << continued.err;
  EXPECT_THAT(continued.out, testing::Not(HasSubstr(" 0 found in the store")));
}

}  // namespace
}  // namespace headroom::test
