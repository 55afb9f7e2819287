// Tests which libraries a command loads, according to the messages of the dynamic linker.

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class Libraries : public testing::Test {
 protected:
  /// Runs a command, which must succeed, and returns the messages of the loader about its libraries.
  std::string loaded_by(std::vector<std::string> words) const {
    const std::string log = place_.path("loader");
    CommandOptions options;
    options.environment = {{"LD_DEBUG", "libs"}, {"LD_DEBUG_OUTPUT", log}};
    const Outcome outcome = molgauge(words, options);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    std::string text;
    for (const auto& entry : std::filesystem::directory_iterator(place_.path("."))) {
      if (entry.path().filename().string().starts_with("loader.")) {
        text += read_file(entry.path());
        std::filesystem::remove(entry.path());
      }
    }
    return text;
  }

  Workplace place_;
};

TEST_F(Libraries, OfLibTorchAreLoadedForWhatTrainsAlone) {
  const std::string molecules = place_.nci_molecules(100), benchmark = place_.path("benchmark.json"),
                    run = place_.path("run"), store = place_.path("store");
  const std::string split = loaded_by({"split", molecules, "--domain", "size", "--out", benchmark});
  EXPECT_THAT(split, HasSubstr("libmolgauge.so"));
  EXPECT_THAT(split, Not(HasSubstr("libtorch")));
  EXPECT_THAT(
      loaded_by({"train", benchmark, "--encoder", "ecfp", "--run", run, "--store", store, "--epochs", "2"}),
      HasSubstr("libtorch_cpu"));
  const std::vector<std::vector<std::string>> commands = {
      {"encode", molecules, "--encoder", "ecfp", "--store", store, "--device", "cpu"},
      {"score", run, molecules, "--store", store, "--device", "cpu"},
      {"evaluate", run, "--store", store, "--device", "cpu"},
      {"memory", "plan", "encode", molecules, "--encoder", "ecfp"},
      {"memory", "report", run},
      {"store", "info", "--store", store},
      {"report", run, "--out", place_.path("report.html")}};
  for (const auto& command : commands) {
    EXPECT_THAT(loaded_by(command), Not(HasSubstr("libtorch"))) << command.front();
  }
}

TEST_F(Libraries, OfTheEngineAreNotLoadedToExplainMemory) {
  const std::string trace = own_data("allocator/pocket-epoch-5.trace.gz").string();
  const std::vector<std::vector<std::string>> commands = {
      {"memory", "explain", trace}, {"memory", "simulate", trace}, {"memory", "diff", trace, trace}};
  for (const auto& command : commands) {
    const std::string loaded = loaded_by(command);
    for (const char* const library : {"libmolgauge.so", "libtorch", "libRDKit", "liblmdb", "libhdf5"}) {
      EXPECT_THAT(loaded, Not(HasSubstr(library))) << command[1];
    }
  }
}

}  // namespace
}  // namespace molgauge::test
