// Tests kill -9, Ctrl-C and a full disk at any moment. No finished work is lost. When the command is
// repeated, it gives the same result as a command that was not disturbed. MOLGAUGE_KILLS sets the number of
// kills. MOLGAUGE_SEED determines their moments.

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "base/io/tensors/safetensors.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;

std::size_t number_from(const char* variable, std::size_t usual) {
  const char* const text = std::getenv(variable);
  return text != nullptr ? std::stoul(text) : usual;
}

/// Kills a command repeatedly at random moments after its start, including before the engine is loaded. The
/// value of `finished` must never fall. If the command ends before it is killed, its result is compared with
/// the expected result, and the next command starts from scratch. Returns the number of kills that ended a
/// running command.
struct KillLoop {
  std::function<Outcome(const CommandOptions& options)> run;
  std::function<std::size_t()> finished;
  std::function<void()> compare_and_begin_anew;

  static constexpr std::chrono::milliseconds kLongestWait = 20s;

  std::size_t kill_often(std::size_t kills, std::chrono::milliseconds longest) const {
    std::mt19937 random(static_cast<unsigned>(number_from("MOLGAUGE_SEED", 20241)));
    std::size_t hits = 0, before = 0, progress = 0;
    for (std::size_t i = 0; i < kills; ++i) {
      CommandOptions options;
      options.kill_after = std::chrono::milliseconds(50 + random() % longest.count());
      const Outcome outcome = run(options);
      hits += outcome.signal == SIGKILL ? 1 : 0;
      EXPECT_TRUE(outcome.signal == SIGKILL || outcome.exit_code == 0) << outcome.err;
      const std::size_t now = finished();
      EXPECT_GE(now, before) << "finished work is gone after kill " << i;
      progress += now > before && outcome.signal == SIGKILL ? 1 : 0;
      // On a slow machine, the kills could all come before the first batch, or all after the last batch.
      // Neither may happen.
      if (outcome.exit_code == 0) {
        compare_and_begin_anew();
        longest = longest * 4 / 5;
      } else if (now == before) {
        longest = std::min(longest * 5 / 4, kLongestWait);
      }
      before = outcome.exit_code == 0 ? 0 : now;
    }
    std::printf("%zu of %zu kills hit; after %zu of them more was finished than before\n", hits, kills,
                progress);
    return hits;
  }
};

/// Returns the number of rows in a feature store, and checks that all are intact. Returns 0 if the store does
/// not exist yet.
std::size_t stored_rows(const std::string& store) {
  const Outcome verified = molgauge({"store", "verify", "--store", store});
  const bool is_there = std::filesystem::exists(store + "/data.mdb") && verified.exit_code == 0;
  EXPECT_THAT(verified.out, testing::AnyOf(testing::IsEmpty(), HasSubstr(" rows, 0 damaged")));
  return is_there ? std::stoul(verified.out) : 0;
}

TEST(Interruption, KilledEncodeContinues) {
  Workplace place;
  const std::string molecules = place.nci_molecules(2000), store = place.path("store");
  place.use_store("undisturbed");
  ASSERT_EQ(place.encode(molecules, {"--out", place.path("undisturbed.npy")}).exit_code, 0);
  place.use_store("store");
  const auto expect_same_features = [&] {
    const Outcome continued = place.encode(molecules, {"--out", place.path("continued.npy")});
    ASSERT_EQ(continued.exit_code, 0) << continued.err;
    EXPECT_THAT(continued.out, HasSubstr(" 0 encoded now"));
    EXPECT_EQ(read_file(place.path("continued.npy")), read_file(place.path("undisturbed.npy")));
    std::filesystem::remove_all(store);
  };
  const KillLoop loop = {
      .run =
          [&](const CommandOptions& options) {
            return place.encode(molecules, {"--batch-atoms", "200", "--threads", "1"}, options);
          },
      .finished = [&] { return stored_rows(store); },
      .compare_and_begin_anew = expect_same_features};
  EXPECT_GT(loop.kill_often(number_from("MOLGAUGE_KILLS", 4), 1500ms), 0U);
  ASSERT_EQ(place.encode(molecules, {}).exit_code, 0);
  expect_same_features();
}

TEST(Interruption, KilledPredictContinues) {
  Workplace place;
  const std::string molecules = place.nci_molecules(2000), store = place.path("store");
  const std::filesystem::path models = place.path("models");
  std::filesystem::create_directory(models);
  for (int member = 0; member < 20; ++member) {  // with so many models, the kills come during the work
    std::filesystem::copy_file(
        own_data("chemprop") / (member % 2 == 0 ? "v2_regression.pt" : "v2_regression_b.pt"),
        models / (std::to_string(member) + ".pt"));
  }
  const std::string out = place.path("out.csv");
  const auto predict = [&](const std::string& folder, const CommandOptions& options = {}) {
    return molgauge(
        {"predict", models.string(), molecules, "--out", out, "--store", folder, "--threads", "1"}, options);
  };
  ASSERT_EQ(predict(place.path("undisturbed")).exit_code, 0);
  const std::string undisturbed = read_file(out);
  const auto expect_same_predictions = [&] {
    const Outcome continued = predict(store);
    ASSERT_EQ(continued.exit_code, 0) << continued.err;
    EXPECT_THAT(continued.out, HasSubstr(" 0 predicted now"));
    EXPECT_EQ(read_file(out), undisturbed);
    std::filesystem::remove_all(store);
  };
  const KillLoop loop = {.run =
                             [&](const CommandOptions& options) {
                               std::filesystem::remove(out);
                               const Outcome outcome = predict(store, options);
                               // A killed command leaves either the whole table or no table.
                               EXPECT_TRUE(!std::filesystem::exists(out) || read_file(out) == undisturbed);
                               return outcome;
                             },
                         .finished = [&] { return stored_rows(store); },
                         .compare_and_begin_anew = expect_same_predictions};
  EXPECT_GT(loop.kill_often(number_from("MOLGAUGE_KILLS", 4), 800ms), 0U);
  ASSERT_EQ(predict(store).exit_code, 0);
  expect_same_predictions();
}

class InterruptedTraining : public testing::Test {
 protected:
  void SetUp() override {
    const Outcome split = place_.split(place_.nci_molecules(400), benchmark_);
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
  const auto steps_kept = [&]() -> std::size_t {
    const std::filesystem::path file = place_.path("killed/checkpoints/last.safetensors");
    if (!std::filesystem::exists(file)) {
      return 0;
    }
    return nlohmann::json::parse(io::read_safetensors(file).metadata.at("progress")).at("optimizer_steps");
  };
  const KillLoop loop = {.run = [&](const CommandOptions& options) { return train("killed", options); },
                         .finished = steps_kept,
                         .compare_and_begin_anew =
                             [&] {
                               expect_equal_runs("killed");
                               std::filesystem::remove_all(place_.path("killed"));
                             }};
  EXPECT_GT(loop.kill_often(number_from("MOLGAUGE_KILLS", 4), 2500ms), 0U);
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
}  // namespace molgauge::test
