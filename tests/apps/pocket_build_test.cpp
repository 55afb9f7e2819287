// Tests `molgauge pocket build` and `molgauge pocket ligands` on the command line.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "base/io/tensors/npz.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;

std::size_t files_in(const std::filesystem::path& folder) {
  std::error_code none;
  const std::filesystem::directory_iterator files(folder, none), end;
  return none ? 0 : static_cast<std::size_t>(std::distance(files, end));
}

TEST(PocketBuild, TellsWhatIsBuiltAndWhatFailed) {
  const TemporaryFolder folder;
  const std::string out = (folder / "set").string();
  const Outcome outcome = molgauge({"pocket", "build", own_data("pocket/graphs").string(), "--out", out});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("4 pockets: 2 built, 0 taken over, 0 too large, 2 failed"));
  EXPECT_THAT(outcome.err, HasSubstr("2abc_LIG_model0: "));
  const Outcome nothing = molgauge({"pocket", "build", own_data("pocket/graphs/3abc_LIG_model0.pt").string(),
                                    "--out", (folder / "other").string()});
  EXPECT_EQ(nothing.exit_code, 3);
  EXPECT_EQ(molgauge({"pocket", "build", own_data("pocket/graphs").string(), "--out", out, "--from", "graphs",
                      "--distance-cutoff", "5"})
                .exit_code,
            2)
      << "an option without effect";
}

/// A build that is killed repeatedly ends with the same set as an undisturbed build.
TEST(PocketBuild, GoesOnAfterItWasKilled) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "in");
  constexpr std::size_t kGraphs = 200;
  for (std::size_t i = 0; i < kGraphs; ++i) {
    std::filesystem::copy(own_data("pocket/graphs/1abc_LIG_model0.pt"),
                          folder / "in" / ("1abc_LIG_model" + std::to_string(i) + ".pt"));
  }
  std::filesystem::copy(own_data("pocket/node_feature_norm_params.npz"), folder.path());
  const auto build = [&](const std::string& out, const CommandOptions& options = {}) {
    return molgauge({"pocket", "build", (folder / "in").string(), "--out", out, "--threads", "2", "--quiet"},
                    options);
  };
  const std::string disturbed = (folder / "disturbed").string(), whole = (folder / "whole").string();
  int kills = 0;
  for (std::size_t already = 10; already < kGraphs; already += 60) {
    CommandOptions options;
    options.kill_when = [&] { return files_in(folder / "disturbed" / "graphs") >= already; };
    const Outcome killed = build(disturbed, options);
    kills += killed.signal != 0 ? 1 : 0;
  }
  EXPECT_GT(kills, 0);
  EXPECT_EQ(build(disturbed).exit_code, 0);
  EXPECT_EQ(build(whole).exit_code, 0);
  EXPECT_EQ(read_file(disturbed + "/manifest.json"), read_file(whole + "/manifest.json"));
}

TEST(PocketLigands, AreRowsByCodeOrByComplex) {
  const Workplace place;
  const std::string compounds =
      place.file("compounds.csv", "id,canonical_smiles\nETH,CCO\nBNZ,c1ccccc1\nBAD,C(C\n");
  const std::string complexes =
      place.file("complexes.csv", "id,sm_ligand_ids\n1ABC,['ETH_.:A/1:A']\n2abc,BAD\n");
  const std::string codes = place.path("codes.npz"), keys = place.path("keys.npz");
  const std::vector<std::string> verb = {"pocket", "ligands", compounds,          "--encoder",
                                         "ecfp",   "--store", place.path("store")};
  const auto run = [&](std::vector<std::string> more) {
    std::vector<std::string> all = verb;
    all.insert(all.end(), more.begin(), more.end());
    return molgauge(all);
  };
  const Outcome by_code = run({"--out", codes, "--normalize"});
  EXPECT_EQ(by_code.exit_code, 0) << by_code.err;
  EXPECT_THAT(by_code.err, HasSubstr("compounds.csv:4"));
  const io::TensorMap rows = io::read_npz(codes);
  ASSERT_EQ(rows.size(), 2U);
  const std::vector<float> ethanol = rows.at("ETH").to_float32(), benzene = rows.at("BNZ").to_float32();
  for (std::size_t i = 0; i < ethanol.size(); ++i) {
    EXPECT_NEAR(ethanol[i] + benzene[i], 0, 1e-5) << "two rows of mean 0";
  }
  EXPECT_TRUE(std::filesystem::exists(place.path("ligand_embedding_norm_params.npz")));
  const Outcome by_complex = run({"--out", keys, "--hariboss-csv", complexes});
  EXPECT_EQ(by_complex.exit_code, 0) << by_complex.err;
  EXPECT_THAT(by_complex.err, HasSubstr("1 key without a row, the first 2abc_BAD"));
  EXPECT_TRUE(io::read_npz(keys).contains("1abc_ETH"));
  EXPECT_EQ(run({"--out", place.path("rows.csv")}).exit_code, 2);
}

}  // namespace
}  // namespace molgauge::test
