#include <gtest/gtest.h>

#include "command.h"
#include "support/fixtures.h"

namespace headroom::test {
namespace {

TEST(Help, EveryVerbHasOne) {
  EXPECT_EQ(headroom({"--help"}).exit_code, 0);
  for (const char* verb : {"demo", "doctor", "weights", "domain", "split", "encode", "store", "train",
                           "evaluate", "score", "baseline", "experiment", "report", "migrate", "memory"}) {
    const Outcome outcome = headroom({verb, "--help"});
    EXPECT_EQ(outcome.exit_code, 0) << verb;
    EXPECT_NE(outcome.out.find("Usage: headroom " + std::string(verb)), std::string::npos) << outcome.out;
  }
}

TEST(Help, VersionIsPrinted) { EXPECT_EQ(headroom({"--version"}).out, "headroom " HEADROOM_VERSION "\n"); }

/// Help must not wait for LibTorch: it works where the engine is not even installed.
TEST(Help, NeedsNoEngine) {
  const TemporaryFolder folder;
  const std::filesystem::path program = HEADROOM_PROGRAM;
  std::filesystem::create_directories(folder / "bin");
  std::filesystem::create_directories(folder / "lib");
  std::filesystem::copy(program, folder / "bin" / "headroom");
  const auto libraries = program.parent_path().parent_path() / "lib";
  std::filesystem::copy(libraries / "libheadroom_core.so", folder / "lib" / "libheadroom_core.so");
  CommandOptions options;
  options.program = folder / "bin" / "headroom";
  EXPECT_EQ(headroom({"train", "--help"}, options).exit_code, 0);
  const Outcome outcome = headroom({"doctor"}, options);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("libheadroom.so"), std::string::npos) << outcome.err;
}

TEST(WrongUsage, EndsWithTwo) {
  EXPECT_EQ(headroom({}).exit_code, 2);
  EXPECT_EQ(headroom({"no-such-verb"}).exit_code, 2);
  EXPECT_EQ(headroom({"encode"}).exit_code, 2);
  EXPECT_EQ(headroom({"encode", "x.smi", "--no-such-option"}).exit_code, 2);
  EXPECT_EQ(headroom({"train", "b.json", "--run", "r", "--loss", "bce", "--dpo-beta", "1"}).exit_code, 2);
  EXPECT_EQ(headroom({"encode", "x.smi", "--log-level", "loud"}).exit_code, 2);
  EXPECT_EQ(headroom({"store", "prune"}).exit_code, 2);
  EXPECT_EQ(headroom({"memory", "simulate"}).exit_code, 2);
}

}  // namespace
}  // namespace headroom::test
