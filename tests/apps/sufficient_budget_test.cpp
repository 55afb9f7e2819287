// Tests the smallest budget that a refusal names. It is sufficient at the first repetition, and the
// repetition stays within it. The inputs have long cells and many columns, and the commands have several
// phases.
//
// MOLGAUGE_BUDGET_CASES=all runs all cases. Otherwise, some cases run.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "budgets.h"
#include "pocket_set.h"
#include "support/fixtures.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using Words = std::vector<std::string>;
using Cell = std::function<std::string(std::size_t)>;

/// Molecules with a measured value, a prediction, three descriptors and a text.
std::string table(std::size_t first, std::size_t count, const Cell& text = {}, std::size_t more_columns = 0) {
  const Words rings = {"c1ccccc1", "C1CCCCC1", "c1ccncc1", "C1CCCC1", "c1ccsc1"},
              ends = {"O", "N", "C(=O)O", "C#N", "Cl", "F"};
  std::mt19937 random(static_cast<std::uint32_t>(first));
  std::string lines = "name,smiles,y,y_pred,part,a,b,c,text";
  for (std::size_t column = 0; column < more_columns; ++column) {
    lines += ",x" + std::to_string(column);
  }
  lines += "\n";
  for (std::size_t i = first; i < first + count; ++i) {
    const double value = static_cast<double>(random() % 1000) / 100,
                 error = static_cast<double>(random() % 100) / 50;
    lines += "m" + std::to_string(i) + "," + rings[i % 5] + std::string(1 + i / 30 % 40, 'C') +
             ends[i / 5 % 6] + std::string(i / 1200, 'N') + "," + std::to_string(value) + "," +
             std::to_string(value + error) + "," + (i % 3 == 0 ? "cal" : "train") + "," +
             std::to_string(i % 7) + "," + std::to_string(i % 3) + "," + std::to_string(i % 11) + "," +
             (text ? text(i) : "");
    for (std::size_t column = 0; column < more_columns; ++column) {
      lines += "," + std::to_string(column);
    }
    lines += "\n";
  }
  return lines;
}

std::string model(const std::string& name) { return (own_data("chemprop") / name).string(); }

class SufficientBudget : public testing::Test {
 protected:
  void SetUp() override {
    if (is_instrumented()) {
      GTEST_SKIP() << "resident memory is the sanitizer's";
    }
    const auto long_cells = [](std::size_t) { return std::string(20'000, 'y'); };
    const auto one_cell = [](std::size_t row) {
      return row % 1200 == 100 ? std::string(15'000'000, 'x') : "";
    };
    train_ = place_.file("train.csv", table(0, 600));
    in_ = place_.file("in.csv", table(1200, 300));
    calibration_ = place_.file("cal.csv", table(2400, 150));
    long_cells_ = place_.file("long.csv", table(1200, 3000, long_cells));
    one_cell_ = place_.file("cell.csv", table(1200, 300, one_cell));
    train_with_cell_ = place_.file("train-cell.csv", table(0, 600, one_cell));
    columns_ = place_.file("columns.csv", table(1200, 2000, {}, 150));
  }

  Outcome run(Words words, std::uint64_t budget) const {
    for (const char* const left : {"store", "out.csv", "out.npy", "out.npz", "out.json", "new"}) {
      std::filesystem::remove_all(place_.path(left));
    }
    if (words[0] != "pocket" || words[1] == "ligands") {
      words.insert(words.end(), {"--store", place_.path("store")});
    }
    words.insert(words.end(), {"--memory-budget", mebibytes(budget)});
    return molgauge(words);
  }

  void expect_sufficient(const Words& words) const {
    expect_sufficient_with(words, {"--out", words[0] == "encode" ? "out.npy" : "out.csv"});
  }

  /// `output`: an option and the name of a file or folder.
  void expect_sufficient_with(Words words, const Words& output) const {
    words.insert(words.end(), {output[0], place_.path(output[1])});
    std::string shown;
    for (const std::string& word : words) {
      shown += std::filesystem::path(word).filename().string() + " ";
    }
    SCOPED_TRACE(shown);
    const Outcome refused = run(words, 20);
    ASSERT_EQ(refused.exit_code, 4) << refused.err;
    const std::uint64_t named = named_budget(refused.err);
    ASSERT_GT(named, 0U) << refused.err;
    const Outcome outcome = run(words, named);
    EXPECT_EQ(outcome.exit_code, 0) << mebibytes(named) << "\n" << outcome.err;
    EXPECT_LE(static_cast<double>(highest_bytes(outcome)),
              kBudgetTolerance * static_cast<double>(named * kMebibyte))
        << mebibytes(named);
  }

  static bool runs_all() {
    const char* const cases = std::getenv("MOLGAUGE_BUDGET_CASES");
    return cases != nullptr && std::string(cases) == "all";
  }

  Workplace place_;
  std::string train_, in_, calibration_, long_cells_, one_cell_, train_with_cell_, columns_;
};

TEST_F(SufficientBudget, OfPredict) {
  expect_sufficient({"predict", model("v2_regression.pt"), one_cell_});
  expect_sufficient({"predict", model("v2_descriptors.pt"), one_cell_, "--descriptor-columns", "a,b,c"});
  if (runs_all()) {
    for (const std::string& input : {in_, long_cells_, columns_}) {
      for (const char* const name : {"v2_regression.pt", "v2_mve.pt", "v1_binary.pt"}) {
        expect_sufficient({"predict", model(name), input});
      }
      expect_sufficient({"predict", model("v2_regression.pt"), input, "--standardize", "tautomer"});
    }
  }
}

TEST_F(SufficientBudget, OfEncode) {
  expect_sufficient({"encode", one_cell_, "--encoder", "ecfp"});
  if (runs_all()) {
    expect_sufficient({"encode", long_cells_, "--encoder", "ecfp"});
    expect_sufficient({"encode", columns_, "--encoder", "ecfp"});
  }
}

TEST_F(SufficientBudget, OfDomain) {
  const auto domain = [&](const std::string& train, const std::string& in, Words more = {}) {
    Words words = {"domain", train, in, "--encoder", "ecfp"};
    words.insert(words.end(), more.begin(), more.end());
    expect_sufficient(words);
  };
  const Words values = {"--label-column", "y", "--prediction-column", "y_pred"};
  const auto calibrated = [&](Words words) {
    words.insert(words.end(), values.begin(), values.end());
    return words;
  };
  domain(train_, long_cells_);
  domain(train_, in_, calibrated({"--calibration", calibration_}));
  if (runs_all()) {
    domain(train_, in_);
    domain(train_, one_cell_);
    domain(train_, columns_);
    domain(train_with_cell_, in_);
    domain(train_with_cell_, in_, {"--name-column", "text"});
    domain(train_, in_, calibrated({"--calibration-split", "part=cal"}));
    domain(train_, one_cell_, calibrated({"--calibration", one_cell_}));
    domain(train_, in_, {"--save", place_.path("new")});
    domain(train_, in_, {"--method", "mahalanobis", "--label-column", "y"});
  }
}

TEST_F(SufficientBudget, OfDomainWithAModel) {
  const auto domain = [&](const std::string& in, const char* name, Words more = {}) {
    Words words = {"domain", train_, in, "--model", model(name)};
    words.insert(words.end(), more.begin(), more.end());
    expect_sufficient(words);
  };
  const Words calibrated = {"--calibration", calibration_, "--label-column", "y"};
  domain(in_, "v2_regression.pt", calibrated);
  domain(columns_, "v2_regression.pt");
  if (runs_all()) {
    domain(in_, "v2_regression.pt");
    domain(one_cell_, "v2_regression.pt", calibrated);
    domain(long_cells_, "v2_regression.pt");
    domain(in_, "v2_mve.pt");
    domain(in_, "v2_regression.pt", {"--as-drawn"});
    domain(in_, "v2_regression.pt", {"--standardize", "tautomer"});
  }
}

TEST_F(SufficientBudget, OfASavedDomain) {
  ASSERT_EQ(molgauge({"domain", train_, in_, "--encoder", "ecfp", "--save", place_.path("saved"), "--out",
                      place_.path("first.csv"), "--store", place_.path("store")})
                .exit_code,
            0);
  expect_sufficient({"domain", place_.path("saved"), long_cells_});
  if (runs_all()) {
    for (const std::string& input : {in_, one_cell_, columns_}) {
      expect_sufficient({"domain", place_.path("saved"), input});
      expect_sufficient({"score", place_.path("saved"), input});
    }
    expect_sufficient({"domain", place_.path("saved"), in_, "--calibration", calibration_, "--label-column",
                       "y", "--prediction-column", "y_pred"});
  }
}

/// Training, scoring and detectors.
TEST_F(SufficientBudget, OfABenchmark) {
  const std::string benchmark = place_.path("benchmark.json"), run = place_.path("run");
  ASSERT_EQ(place_.split(place_.nci_molecules(600), benchmark).exit_code, 0);
  place_.label_alternately(benchmark);
  ASSERT_EQ(place_.train(benchmark, run, {"--epochs", "1"}).exit_code, 0);
  expect_sufficient({"score", run, one_cell_});
  if (!runs_all()) {
    return;
  }
  for (const std::string& input : {in_, long_cells_, columns_}) {
    expect_sufficient({"score", run, input});
  }
  expect_sufficient_with({"evaluate", run}, {"--out", "new"});
  const Words train = {"train", benchmark, "--encoder", "ecfp", "--epochs", "1"};
  expect_sufficient_with(train, {"--run", "new"});
  for (const std::string& ood : {one_cell_, columns_}) {
    Words with_ood = train;
    with_ood.insert(with_ood.end(), {"--ood", ood});
    expect_sufficient_with(with_ood, {"--run", "new"});
  }
  for (const Words& method :
       {Words{"raw_knn"}, Words{"knn", "--epochs", "1"}, Words{"mahalanobis", "--epochs", "1"}}) {
    Words words = {"baseline", benchmark, "--encoder", "ecfp", "--method"};
    words.insert(words.end(), method.begin(), method.end());
    expect_sufficient_with(words, {"--run", "new"});
  }
}

/// A matrix splits a table and trains on its parts. named_budget_test.cpp tests a matrix of benchmarks.
TEST_F(SufficientBudget, OfAnExperiment) {
  const auto experiment = [&](const std::string& molecules) {
    const std::string specification = place_.file("spec.toml",
                                                  "[matrix]\nencoders = [\"ecfp\"]\n"
                                                  "[training]\nepochs = 1\n"
                                                  "[[benchmark]]\nname = \"b\"\n"
                                                  "domain = \"size\"\n"
                                                  "algorithm = \"drugood\"\n"
                                                  "molecules = \"" +
                                                      molecules + "\"\n[[method]]\nname = \"energy\"\n");
    expect_sufficient_with({"experiment", specification}, {"--out", "new"});
  };
  experiment(one_cell_);
  if (runs_all()) {
    experiment(long_cells_);
    experiment(columns_);
  }
}

/// A check names the budget. All trials run in one process.
TEST_F(SufficientBudget, OfDoctorTry) {
  const auto try_out = [&](const std::string& molecules) {
    SCOPED_TRACE(molecules);
    Words words = {"doctor", "--try", "--encoder", "ecfp"};
    if (!molecules.empty()) {
      words.push_back(molecules);
    }
    const std::uint64_t named = named_budget(run(words, 20).out);
    ASSERT_GT(named, 0U);
    const Outcome outcome = run(words, named);
    EXPECT_EQ(outcome.exit_code, 0) << mebibytes(named) << "\n" << outcome.out << outcome.err;
    EXPECT_LE(static_cast<double>(highest_bytes(outcome)),
              kBudgetTolerance * static_cast<double>(named * kMebibyte))
        << mebibytes(named);
  };
  try_out("");
  if (runs_all()) {
    try_out(in_);
    try_out(one_cell_);
    try_out(columns_);
  }
}

/// The memory of `conformers` does not depend on the number of molecules and on the length of their names.
TEST_F(SufficientBudget, ConformersNeedNone) {
  const std::string molecules = place_.path("names.csv");
  {
    std::ofstream lines(molecules);
    lines << "name,smiles\n";
    for (int i = 0; i < 600; ++i) {
      lines << std::string(500'000, 'x') << ",CCO\n";
    }
  }
  const Outcome outcome = molgauge({"conformers", molecules, "--conformer-engine", "fast", "--out",
                                    place_.path("out.sdf"), "--store", place_.path("store")});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_LE(outcome.peak_resident_bytes, 100 * kMebibyte);
}

TEST_F(SufficientBudget, OfPockets) {
  const PocketSet set;
  ASSERT_EQ(set.train("run", {"--epochs", "1"}).exit_code, 0);
  const std::string run = set.path("run");
  expect_sufficient_with({"pocket", "search", run, set.graphs(), "--ligands", set.ligands()},
                         {"--out", "out.json"});
  if (!runs_all()) {
    return;
  }
  expect_sufficient_with({"pocket", "embed", run, set.graphs()}, {"--out", "out.npz"});
  expect_sufficient_with({"pocket", "evaluate", run, set.graphs(), "--ligands", set.ligands()},
                         {"--out", "out.json"});
  expect_sufficient_with({"pocket", "train", set.graphs(), "--ligands", set.ligands(), "--epochs", "1",
                          "--hidden-irreps", "4x0e + 2x1o", "--num-layers", "1"},
                         {"--run", "new"});
  const std::string compounds = set.file("compounds.csv", "id,canonical_smiles\nAAA,CCO\nBBB,CCN\n");
  expect_sufficient_with({"pocket", "ligands", compounds, "--encoder", "ecfp"}, {"--out", "out.npz"});
}

TEST_F(SufficientBudget, OfMemoryPlan) {
  const Words words = {
      "domain",     train_,           in_, "--model", model("v2_regression.pt"), "--calibration",
      calibration_, "--label-column", "y"};
  Words planned = words;
  planned.insert(planned.begin(), {"memory", "plan"});
  planned.insert(planned.end(), {"--memory-budget", "20MiB"});
  const Outcome plan = molgauge(planned);
  std::smatch found;
  const std::regex pattern("--memory-budget ([0-9]+)MiB");
  ASSERT_TRUE(std::regex_search(plan.out, found, pattern)) << plan.out << plan.err;
  Words doing = words;
  doing.insert(doing.end(), {"--out", place_.path("out.csv")});
  const Outcome outcome = run(doing, std::stoull(found[1].str()));
  EXPECT_EQ(outcome.exit_code, 0) << found[0].str() << "\n" << outcome.err;
}

}  // namespace
}  // namespace molgauge::test
