// Applies runs of every kind to new molecules, as a user does.

#include <cmath>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "base/io/tensors/npz.h"
#include "base/io/tensors/safetensors.h"
#include "molecules/ood/metrics/score_calibration.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

/// Returns the cells of a CSV line that contains no quotes.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  for (const char letter : line) {
    if (letter == ',') {
      cells.emplace_back();
    } else {
      cells.back() += letter;
    }
  }
  return cells;
}

class ScoreVerb : public testing::Test {
 protected:
  void split(std::size_t molecules) {
    const Outcome outcome = place_.split(place_.nci_table(molecules), benchmark_, {"--label-column", "odd"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  }
  Outcome train(const std::string& run, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"--epochs", "4", "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return place_.train(benchmark_, run, words);
  }
  Outcome baseline(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"baseline", benchmark_,           "--run",    run_, "--encoder", "ecfp",
                                      "--store",  place_.path("store"), "--epochs", "4",  "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return molgauge(words);
  }

  Workplace place_;
  std::string benchmark_ = place_.path("benchmark.json"), run_ = place_.path("run");
};

/// The scores of the test molecules are bit-identical to the scores in the run folder.
TEST_F(ScoreVerb, BaselinesScoreAsTheyDidInTheirRun) {
  split(200);
  ASSERT_EQ(baseline({}).exit_code, 0);
  for (const char* method : {"msp", "odin", "energy", "mahalanobis", "knn", "lof", "mc_dropout", "conformal",
                             "dam_msp", "dam_energy"}) {
    SCOPED_TRACE(method);
    std::string molecules;
    std::vector<std::string> smiles;
    for (const std::string& line : lines_in(read_file(run_ + "/" + method + "_predictions.csv"))) {
      if (const auto cells = cells_of(line); cells.back() != "smiles") {
        molecules += cells.back() + "\n";
      }
    }
    const std::string out = place_.path("scores.csv");
    const Outcome scored =
        place_.score(run_, place_.file("test.smi", molecules), {"--method", method, "--out", out, "--quiet"});
    ASSERT_EQ(scored.exit_code, 0) << scored.err;
    const std::string scores_file = run_ + "/" + method + "_scores.npz";
    std::vector<float> expected = io::read_npz(scores_file, "id_scores").to_float32();
    const auto ood = io::read_npz(scores_file, "ood_scores").to_float32();
    expected.insert(expected.end(), ood.begin(), ood.end());
    const auto lines = lines_in(read_file(out));
    ASSERT_EQ(lines.size(), expected.size() + 1);
    EXPECT_EQ(lines[0], std::string("line,smiles,name,") + method + "_score,ood_prediction");
    const auto held_out =
        io::read_safetensors(run_ + "/" + method + "_detector.safetensors").tensors.at("held_out_id_scores");
    const float threshold = ood::threshold_at(held_out.to_float32(), 0.95).score;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const auto cells = cells_of(lines[i + 1]);
      EXPECT_EQ(std::stof(cells[3]), expected[i]);
      EXPECT_EQ(cells[4], expected[i] > threshold ? "1" : "0");
    }
  }
}

TEST_F(ScoreVerb, AFolderOfSeveralMethodsAsksWhichOne) {
  split(300);
  ASSERT_EQ(baseline({"--method", "knn", "--knn-k", "7"}).exit_code, 0);
  const std::string molecules = place_.file("m.smi", "CCO\n");
  EXPECT_THAT(place_.score(run_, molecules).out, HasSubstr("knn_score"));
  ASSERT_EQ(baseline({"--method", "msp", "--knn-k", "7"}).exit_code, 2);
  ASSERT_EQ(baseline({"--method", "all", "--knn-k", "7"}).exit_code, 0);
  const Outcome which = place_.score(run_, molecules);
  EXPECT_EQ(which.exit_code, 2);
  EXPECT_THAT(which.err, AllOf(HasSubstr("--method"), HasSubstr("knn"), HasSubstr("dam_energy")));
  const Outcome unknown = place_.score(run_, molecules, {"--method", "knm"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("Did you mean 'knn'"));
  EXPECT_EQ(place_.score(run_, molecules, {"--method", "lof"}).exit_code, 0);
  std::filesystem::remove(run_ + "/lof_detector.safetensors");
  const Outcome without = place_.score(run_, molecules, {"--method", "lof"});
  EXPECT_EQ(without.exit_code, 3);
  EXPECT_THAT(without.err, AllOf(HasSubstr("lof_detector.safetensors"), HasSubstr("--restart")));
}

TEST_F(ScoreVerb, ThresholdAndProbabilityComeFromTheRun) {
  split(300);
  ASSERT_EQ(train(run_).exit_code, 0);
  EXPECT_EQ(place_.score(run_, place_.file("m.smi", "CCO\n"), {"--method", "knn"}).exit_code, 2);
  const auto file = io::read_safetensors(run_ + "/validation_scores.safetensors");
  const std::vector<float> held_out = file.tensors.at("id_scores").to_float32();
  const double slope = std::stod(file.metadata.at("slope")),
               intercept = std::stod(file.metadata.at("intercept"));
  const std::string out = place_.path("scores.csv"), molecules = place_.nci_table(60);
  for (const double recall : {0.95, 0.5}) {
    const Outcome scored =
        place_.score(run_, molecules, {"--out", out, "--id-recall", std::to_string(recall)});
    ASSERT_EQ(scored.exit_code, 0) << scored.err;
    EXPECT_THAT(scored.err, HasSubstr("held-out molecules"));
    const float threshold = ood::threshold_at(held_out, recall).score;
    const auto lines = lines_in(read_file(out)), input = lines_in(read_file(molecules));
    ASSERT_EQ(lines.size(), input.size());
    EXPECT_EQ(lines[0], "smiles,odd,energy_score,ood_prediction,resembles_training_ood");
    for (std::size_t i = 1; i < lines.size(); ++i) {
      EXPECT_THAT(lines[i], StartsWith(input[i] + ","));
      const auto cells = cells_of(lines[i]);
      const double score = std::stof(cells[2]);
      EXPECT_EQ(cells[3], score > threshold ? "1" : "0");
      EXPECT_NEAR(std::stod(cells[4]), 1 / (1 + std::exp(-(slope * score + intercept))), 1e-9);
    }
  }
  EXPECT_EQ(place_.score(run_, molecules, {"--id-recall", "0.9", "--threshold", "1"}).exit_code, 2);
  EXPECT_EQ(place_.score(run_, molecules, {"--id-recall", "1"}).exit_code, 2);
  const Outcome predictions = place_.score(run_, molecules, {"--prediction-column", "odd"});
  EXPECT_EQ(predictions.exit_code, 2);
  EXPECT_THAT(predictions.err, HasSubstr("is not a saved domain"));
}

TEST_F(ScoreVerb, ARunThatKeepsNoScoresSaysSo) {
  split(300);
  ASSERT_EQ(train(run_).exit_code, 0);
  std::filesystem::remove(run_ + "/validation_scores.safetensors");
  const std::string molecules = place_.file("m.smi", "CCO\n");
  const Outcome without = place_.score(run_, molecules, {"--format", "csv"});
  ASSERT_EQ(without.exit_code, 0) << without.err;
  EXPECT_THAT(without.err, AllOf(HasSubstr("has no scores of held-out molecules"), HasSubstr("--threshold")));
  EXPECT_THAT(without.out, StartsWith("line,smiles,name,energy_score,ood_prediction\n"));
  EXPECT_THAT(lines_in(without.out)[1], testing::EndsWith(","));
  const Outcome named = place_.score(run_, molecules, {"--format", "csv", "--threshold", "-1000"});
  EXPECT_THAT(lines_in(named.out)[1], testing::EndsWith(",1"));
}

TEST_F(ScoreVerb, ColumnsOfTheInputStayAndTheTerminalNamesThemAlike) {
  split(300);
  ASSERT_EQ(train(run_).exit_code, 0);
  const std::string table = place_.file(
      "m.csv", "id,\"a, note\",Molecule,energy_score\n1,\"x, y\",CCO,9\n2,,no molecule,8\n3,z,c1ccccc1,7\n");
  const std::string out = place_.path("scores.csv");
  ASSERT_EQ(place_.score(run_, table, {"--smiles-column", "Molecule", "--out", out}).exit_code, 0);
  const auto lines = lines_in(read_file(out));
  ASSERT_EQ(lines.size(), 4);
  EXPECT_EQ(lines[0],
            "id,\"a, note\",Molecule,energy_score,energy_score_2,ood_prediction,resembles_training_ood");
  EXPECT_THAT(lines[1], StartsWith("1,\"x, y\",CCO,9,"));
  EXPECT_EQ(lines[2], "2,,no molecule,8,,,");
  EXPECT_THAT(lines[3], StartsWith("3,z,c1ccccc1,7,"));
  const Outcome csv = place_.score(run_, table, {"--smiles-column", "Molecule", "--format", "csv"});
  EXPECT_EQ(csv.out, read_file(out));
  const Outcome shown = place_.score(run_, table, {"--smiles-column", "Molecule", "--format", "table"});
  EXPECT_THAT(lines_in(shown.out)[0],
              testing::ContainsRegex("line +Molecule +energy_score_2 +ood_prediction *$"));
}

TEST_F(ScoreVerb, ARecordOfAnSdfShowsItsTitleAndSmiles) {
  split(300);
  ASSERT_EQ(train(run_).exit_code, 0);
  const std::string block =
      "ethanol, pure\n  made\n\n  3  2  0  0  0  0  0  0  0  0999 V2000\n"
      "    0.0000    0.0000    0.0000 C   0  0\n    1.5000    0.0000    0.0000 C   0  0\n"
      "    2.0000    1.0000    0.0000 O   0  0\n  1  2  1  0\n  2  3  1  0\nM  END\n$$$$\n";
  const std::string input = place_.file("m.sdf", block + "broken\n\n\nnothing\nM  END\n$$$$\n");
  const Outcome csv = place_.score(run_, input, {"--format", "csv"});
  ASSERT_EQ(csv.exit_code, 0) << csv.err;
  const auto lines = lines_in(csv.out);
  ASSERT_EQ(lines.size(), 3);
  EXPECT_THAT(lines[0], StartsWith("line,smiles,name,energy_score"));
  EXPECT_THAT(lines[1], StartsWith("1,CCO,\"ethanol, pure\","));
  EXPECT_THAT(lines[2], StartsWith("12,,broken,,"));
  const Outcome shown = place_.score(run_, input, {"--format", "table"});
  EXPECT_THAT(shown.out, AllOf(HasSubstr("CCO"), HasSubstr("ethanol, pure"), Not(HasSubstr("M  END"))));
}

/// Data fields become columns, including fields that occur only in later records. A name that is already used
/// gets a number.
TEST_F(ScoreVerb, DataFieldsOfAnSdfStay) {
  split(300);
  ASSERT_EQ(train(run_).exit_code, 0);
  const std::string block =
      "\n\n\n  2  1  0  0  0  0  0  0  0  0999 V2000\n    0.0000    0.0000    0.0000 C   0  0\n"
      "    1.5000    0.0000    0.0000 O   0  0\n  1  2  1  0\nM  END\n";
  const std::string input = place_.file("m.sdf", "one" + block + "> <SMILES>\nOC\n\n$$$$\ntwo" + block +
                                                     "> <smiles>\nmine\n\n> <logP>\n-0.3\n\n$$$$\n");
  const Outcome csv = place_.score(run_, input, {"--format", "csv"});
  ASSERT_EQ(csv.exit_code, 0) << csv.err;
  const auto lines = lines_in(csv.out);
  ASSERT_EQ(lines.size(), 3);
  EXPECT_THAT(lines[0], StartsWith("line,smiles,name,SMILES,smiles_2,logP,energy_score"));
  EXPECT_THAT(lines[1], StartsWith("1,CO,one,OC,,,"));
  EXPECT_THAT(lines[2], testing::MatchesRegex("[0-9]+,CO,two,,mine,-0.3,.*"));
  EXPECT_THAT(place_.score(run_, input, {"--format", "table"}).out, Not(HasSubstr("logP")));
}

TEST_F(ScoreVerb, DrawingsOfOneMoleculeHaveOneScoreOfTheParent) {
  split(300);
  ASSERT_EQ(train(run_).exit_code, 0);
  const std::string drawings = place_.file(
      "m.smi",
      "CC(=O)Oc1ccccc1C(=O)O\nCC(=O)Oc1ccccc1C(=O)[O-].[Na+]\n[O-]C(=O)c1ccccc1OC(C)=O\n"
      "CCN(CC)CCNC(=O)c1ccc(N)cc1\nCCN(CC)CCNC(=O)c1ccc(N)cc1.Cl\n[Cl-].CC[NH+](CC)CCNC(=O)c1ccc(N)cc1\n");
  const auto scores = [&](const std::vector<std::string>& more) {
    const Outcome scored = place_.score(run_, drawings, more);
    EXPECT_EQ(scored.exit_code, 0) << scored.err;
    std::vector<std::string> found;
    for (const std::string& line : lines_in(scored.out)) {
      found.push_back(cells_of(line).at(3));
    }
    return found;
  };
  const auto drawn = scores({}), parents = scores({"--standardize", "parent"});
  ASSERT_EQ(parents.size(), 7U);
  EXPECT_NE(drawn[1], drawn[2]);
  for (const std::size_t first : {1, 4}) {
    EXPECT_EQ(parents[first], drawn[first]);
    EXPECT_EQ(parents[first + 1], parents[first]);
    EXPECT_EQ(parents[first + 2], parents[first]);
  }
}

TEST_F(ScoreVerb, ASavedDomainRefusesAnotherForm) {
  const std::string list = place_.nci_molecules(60);
  ASSERT_EQ(molgauge({"domain", list, list, "--encoder", "ecfp", "--save", run_, "--store",
                      place_.path("store"), "--out", place_.path("d.csv"), "--quiet"})
                .exit_code,
            0);
  const Outcome refused = place_.score(run_, list, {"--standardize", "parent"});
  EXPECT_EQ(refused.exit_code, 2) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("saved domain"));
}

TEST_F(ScoreVerb, SeveralSeedsGiveTheirMeanAndSpread) {
  split(400);
  const Outcome trained = train(run_, {"--seeds", "3", "--seed", "5"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_THAT(trained.out,
              AllOf(HasSubstr("seed 5:"), HasSubstr("seed 7:"), HasSubstr("mean energy of 3 seeds")));
  const std::string molecules = place_.nci_table(50);
  std::vector<std::vector<float>> of_seeds;
  std::vector<double> centres, thresholds;
  for (const char* seed : {"seed_5", "seed_6", "seed_7"}) {
    const std::string own = run_ + "/" + seed;
    const Outcome scored = place_.score(own, molecules, {"--format", "csv"});
    ASSERT_EQ(scored.exit_code, 0) << scored.err;
    of_seeds.emplace_back();
    for (const std::string& line : lines_in(scored.out)) {
      if (const auto cells = cells_of(line); cells[2] != "energy_score") {
        of_seeds.back().push_back(std::stof(cells[2]));
      }
    }
    const auto held_out =
        io::read_safetensors(own + "/validation_scores.safetensors").tensors.at("id_scores").to_float32();
    double sum = 0;
    for (const float score : held_out) {
      sum += score;
    }
    centres.push_back(sum / static_cast<double>(held_out.size()));
    thresholds.push_back(ood::threshold_at(held_out, 0.95).score);
  }
  const Outcome together = place_.score(run_, molecules, {"--format", "csv"});
  ASSERT_EQ(together.exit_code, 0) << together.err;
  const auto lines = lines_in(together.out);
  EXPECT_EQ(lines[0],
            "smiles,odd,energy_score,energy_deviation,disagreement,ood_prediction,resembles_training_ood");
  ASSERT_EQ(lines.size(), of_seeds[0].size() + 1);
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    const auto cells = cells_of(lines[i + 1]);
    double mean = 0, centred = 0, squares = 0;
    std::size_t outside = 0;
    for (std::size_t seed = 0; seed < 3; ++seed) {
      mean += of_seeds[seed][i] / 3.0;
      centred += (of_seeds[seed][i] - centres[seed]) / 3.0;
      outside += of_seeds[seed][i] > thresholds[seed] ? 1 : 0;
    }
    for (std::size_t seed = 0; seed < 3; ++seed) {
      squares += std::pow(of_seeds[seed][i] - centres[seed] - centred, 2);
    }
    EXPECT_NEAR(std::stod(cells[2]), mean, 1e-5);
    EXPECT_NEAR(std::stod(cells[3]), std::sqrt(squares / 2), 1e-5);
    EXPECT_NEAR(std::stod(cells[4]), static_cast<double>(std::min(outside, 3 - outside)) / 3, 1e-9);
  }
  // If `train` is repeated with the same seeds, it finds that all runs are finished. `evaluate`, and `train`
  // with other seeds, refuse the folder.
  EXPECT_THAT(train(run_, {"--seeds", "3", "--seed", "5"}).out, HasSubstr("(resumed)"));
  EXPECT_EQ(place_.score(run_, molecules, {"--format", "csv"}).out, together.out);
  EXPECT_THAT(place_.evaluate(run_).err, HasSubstr("seed_N"));
  EXPECT_EQ(train(run_).exit_code, 3);
  EXPECT_EQ(train(run_, {"--seeds", "2", "--seed", "5"}).exit_code, 3);
  std::filesystem::remove(run_ + "/seed_6/validation_scores.safetensors");
  EXPECT_EQ(place_.score(run_, molecules).exit_code, 3);
}

}  // namespace
}  // namespace molgauge::test
