// training.log holds what the terminal was told, whatever the terminal was told.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/atomic_file.h"
#include "workplace.h"

namespace headroom::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A benchmark in which one molecule of a part is none.
std::string damaged_benchmark(Workplace& place) {
  const std::string benchmark = place.path("b.json");
  EXPECT_EQ(place.split(place.nci_molecules(600), benchmark).exit_code, 0);
  std::string text = read_file(benchmark);
  const std::string key = "\"smiles\":\"";
  const std::size_t start = text.find(key, text.find("\"ood_val\"")) + key.size();
  text.replace(start, text.find('"', start) - start, "C1CC");
  replace_file(benchmark, text);
  return benchmark;
}

TEST(TrainingLog, HoldsFailedMoleculesAndWhatCameBeforeTheTraining) {
  Workplace place;
  const std::string benchmark = damaged_benchmark(place), run = place.path("run");
  const Outcome outcome = place.train(benchmark, run, {"--epochs", "2", "--quiet"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("'C1CC'"));
  const std::string log = read_file(run + "/training.log");
  EXPECT_THAT(log, HasSubstr("no more than asked for"));  // said while the benchmark was read
  EXPECT_THAT(log, HasSubstr("- warning - " + benchmark + ":"));
  EXPECT_THAT(log, HasSubstr("'C1CC': "));
  EXPECT_THAT(log, HasSubstr("epoch 2/2"));
  EXPECT_THAT(read_file(run + "/failed.csv"), HasSubstr("C1CC,"));
}

TEST(TrainingLog, HoldsTheErrorThatEndedIt) {
  Workplace place;
  const std::string benchmark = place.path("b.json"), run = place.path("run");
  ASSERT_EQ(place.split(place.nci_molecules(600), benchmark).exit_code, 0);
  const Outcome outcome = place.train(benchmark, run, {"--epochs", "2", "--memory-budget", "1MiB"});
  EXPECT_EQ(outcome.exit_code, 4) << outcome.err;
  EXPECT_THAT(read_file(run + "/training.log"), HasSubstr("- error - "));
}

TEST(TrainingLog, IsNotLeftBehindByWhatIsRefused) {
  Workplace place;
  EXPECT_EQ(place.train(place.file("b.json", "{}"), place.path("run")).exit_code, 3);
  EXPECT_FALSE(std::filesystem::exists(place.path("run")));
}

}  // namespace
}  // namespace headroom::test
