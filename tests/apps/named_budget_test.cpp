// Tests the budget that a refusal names. With the inputs of these tests, earlier versions exceeded the budget
// that they had named. The named budget is sufficient, the run stays within it, and it is only a little
// larger than necessary. `memory plan` names the same budget.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "budgets.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using Arguments = std::vector<std::string>;

/// A named budget contains 14 to 20 MiB for unforeseen memory (docs/explanation/memory-budget.md), and up to
/// 8 MiB for memory that encoding leaves behind. The memory for featurising a large molecule is an upper
/// bound. The named budget may exceed the memory of the run by this many bytes or by this share.
constexpr double kMaxSlack = 0.22;
constexpr std::uint64_t kMaxSlackBytes = 56 * kMebibyte;
/// The allowed difference between the budgets of a verb and of `memory plan`. Two runs of the same command
/// also differ, because the layout of the heap and the libraries changes.
constexpr std::uint64_t kSpreadMebibytes = 3;

std::string repeated(const std::string& unit, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) {
    text += unit;
  }
  return text;
}

std::string peptide(std::size_t atoms) { return "N" + repeated("CC(=O)N", (atoms - 2) / 4) + "C"; }

class NamedBudget : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (is_instrumented()) {
      return;
    }
    place_ = std::make_unique<Workplace>();
    const std::string file = path("formula.safetensors");
    ASSERT_EQ(std::system((MOLGAUGE_WRITE_FORMULA_WEIGHTS " " + file).c_str()), 0);
    ASSERT_EQ(
        molgauge({"weights", "install", "minimol", "--from", file, "--weights", path("weights")}).exit_code,
        0);
    ASSERT_EQ(place_->split(place_->nci_molecules(1500), path("b.json")).exit_code, 0);
    place_->label_alternately(path("b.json"));
    ASSERT_EQ(place_
                  ->train(path("b.json"), path("run"),
                          {"--epochs", "2", "--train-size", "200", "--val-size", "50", "--test-size", "50"})
                  .exit_code,
              0);
  }
  static void TearDownTestSuite() { place_.reset(); }
  void SetUp() override {
    if (is_instrumented()) {
      GTEST_SKIP() << "resident memory is the sanitizer's";
    }
  }

  static std::string path(const std::string& name) { return place_->path(name); }

  static Outcome run(Arguments arguments, std::uint64_t budget) {
    for (const char* left : {"a-store", "new-run", "out.npy", "out.csv"}) {
      std::filesystem::remove_all(path(left));
    }
    arguments.insert(arguments.end(), {"--memory-budget", mebibytes(budget)});
    return molgauge(arguments);
  }

  /// Results do not depend on the budget (any_budget_test.cpp).
  static void expect_enough(const Arguments& arguments) {
    const Outcome refused = run(arguments, 20);
    ASSERT_EQ(refused.exit_code, 4) << refused.err;
    const std::uint64_t named = named_budget(refused.err);
    ASSERT_GT(named, 0U) << refused.err;
    const Outcome outcome = run(arguments, named);
    ASSERT_EQ(outcome.exit_code, 0) << mebibytes(named) << "\n" << outcome.err;
    const double bytes = static_cast<double>(named * kMebibyte);
    const auto highest = static_cast<double>(highest_bytes(outcome));
    EXPECT_LE(highest / bytes, kBudgetTolerance) << mebibytes(named);
    EXPECT_LE(bytes - highest, std::max<double>(kMaxSlack * bytes, kMaxSlackBytes))
        << mebibytes(named) << " is far more than is needed: " << highest / bytes << " of it";
    if (std::getenv("MOLGAUGE_SHOW_BUDGETS") != nullptr) {
      fmt::print("{}: {:.3f} of {}\n", arguments[0], highest / bytes, mebibytes(named));
    }
  }

  static void expect_encodes(const std::string& records, const Arguments& more) {
    Arguments arguments = {
        "encode", place_->file("input.smi", records), "--store", path("a-store"), "--out", path("out.npy")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    expect_enough(arguments);
  }

  static Arguments minimol(Arguments more = {}) {
    more.insert(more.end(), {"--weights", path("weights")});
    return more;
  }
  static std::string small_ones(std::size_t count = 40) { return read_file(place_->nci_molecules(count)); }

  static std::unique_ptr<Workplace> place_;
};

std::unique_ptr<Workplace> NamedBudget::place_;

TEST_F(NamedBudget, OfLargeMoleculesAmongSmallOnes) {
  const std::vector<std::pair<const char*, std::string>> outliers = {
      {"chain", std::string(900, 'C')},
      {"ring", "C1" + repeated("CC(CC)", 480) + "C1"},
      {"heavy hydrogens", repeated("C([2H])([2H])", 600) + "C"},
      {"too large by two atoms", peptide(2002)},
      {"a line of a million letters", std::string(1'000'000, 'C')}};
  for (const auto& [name, record] : outliers) {
    SCOPED_TRACE(name);
    expect_encodes(small_ones() + record + "\n", minimol({"--threads", "1"}));
  }
  SCOPED_TRACE("with ecfp");
  expect_encodes(small_ones() + std::string(900, 'C') + "\n", {"--encoder", "ecfp", "--threads", "1"});
}

TEST_F(NamedBudget, OfPeptides) {
  const std::string four = repeated(peptide(1998) + "\n", 1) + "C" + peptide(1994) + "\nCC" + peptide(1994) +
                           "\nO" + peptide(1994) + "\n";
  for (const char* threads : {"1", "2"}) {
    SCOPED_TRACE(threads);
    expect_encodes(four, minimol({"--threads", threads}));
  }
}

TEST_F(NamedBudget, OfBatchesThatAreForced) {
  std::string records = small_ones();
  for (std::size_t atoms = 200; atoms <= 500; atoms += 50) {
    records += std::string(atoms, 'C') + "\n";
  }
  expect_encodes(records, minimol({"--batch-atoms", "256", "--threads", "2"}));
}

TEST_F(NamedBudget, OfTraining) {
  for (const Arguments& sizes :
       {Arguments{"--hidden-dim", "1024", "--batch-size", "2000"}, Arguments{"--batch-size", "64"}}) {
    SCOPED_TRACE(sizes[1]);
    Arguments arguments = {"train",         path("b.json"), "--encoder",     "ecfp",     "--run",
                           path("new-run"), "--store",      path("a-store"), "--epochs", "1"};
    arguments.insert(arguments.end(), sizes.begin(), sizes.end());
    expect_enough(arguments);
  }
}

TEST_F(NamedBudget, OfEvaluatingAndScoring) {
  expect_enough({"evaluate", path("run"), "--store", path("a-store"), "--out", path("new-run")});
  expect_enough({"score", path("run"), place_->nci_molecules(1500), "--store", path("a-store"), "--out",
                 path("out.csv")});
}

TEST_F(NamedBudget, OfPredicting) {
  const std::string records =
      small_ones() + std::string(900, 'C') + "\nCC(=O)[O-].[Na+]\nC1" + repeated("CC(CC)", 480) + "C1\n";
  for (const char* const model : {"v2_regression.pt", "v2_atom_messages.pt"}) {
    SCOPED_TRACE(model);
    expect_enough({"predict", (own_data("chemprop") / model).string(), place_->file("input.smi", records),
                   "--store", path("a-store"), "--out", path("out.csv"), "--threads", "1"});
  }
}

TEST_F(NamedBudget, OfADomain) {
  const std::string outlier = "C1" + repeated("CC(CC)", 200) + "C1\n";
  const auto expect_judges = [](const std::string& training, const std::string& candidates) {
    expect_enough({"domain", training, candidates, "--encoder", "ecfp", "--store", path("a-store"), "--out",
                   path("out.csv")});
  };
  {
    SCOPED_TRACE("a large molecule among the candidates");
    expect_judges(place_->nci_molecules(300), place_->file("candidates.smi", small_ones(150) + outlier));
  }
  {
    SCOPED_TRACE("a large molecule in training");
    expect_judges(place_->file("training.smi", small_ones(300) + outlier),
                  place_->file("candidates.smi", small_ones(100)));
  }
}

TEST_F(NamedBudget, OfScoringWithASavedDomain) {
  ASSERT_EQ(molgauge({"domain", place_->nci_molecules(300), place_->nci_molecules(20), "--encoder", "ecfp",
                      "--store", path("domain-store"), "--out", path("first.csv"), "--save", path("domain")})
                .exit_code,
            0);
  // The input is a ring, because long side chains are cut before the costly step.
  const std::string ring = "C1" + std::string(798, 'C') + "C1\n";
  const std::string molecules = place_->file("candidates.smi", small_ones(150) + ring);
  expect_enough({"score", path("domain"), molecules, "--store", path("a-store"), "--out", path("out.csv")});
}

TEST_F(NamedBudget, OfBaselines) {
  for (const std::string method : {"knn", "lof", "mahalanobis"}) {
    SCOPED_TRACE(method);
    expect_enough({"baseline", path("b.json"), "--encoder", "ecfp", "--run", path("new-run"), "--store",
                   path("a-store"), "--epochs", "1", "--method", method});
  }
}

TEST_F(NamedBudget, OfAnExperiment) {
  const std::string specification = place_->file("spec.toml", R"([matrix]
encoders = ["ecfp"]
seeds = [1, 2]

[training]
epochs = 1

[classifier]
epochs = 1

[[benchmark]]
name = "nci"
file = "b.json"

[[method]]
name = "energy"

[[method]]
name = "baseline"
kind = "knn"
)");
  expect_enough({"experiment", specification, "--out", path("new-run"), "--store", path("a-store")});
}

TEST_F(NamedBudget, IsTheSameInMemoryPlan) {
  const std::string benchmark = path("b.json");
  const std::string records =
      place_->file("plan.smi", small_ones() + std::string(1'000'000, 'C') + "\n" + peptide(1998) + "\n");
  const auto compare = [&](const std::string& verb, Arguments planned, const Arguments& folders) {
    SCOPED_TRACE(verb);
    Arguments doing = planned;
    doing.insert(doing.begin(), verb);
    doing.insert(doing.end(), folders.begin(), folders.end());
    planned.insert(planned.begin(), {"memory", "plan", verb, "--json"});
    // The system may have removed library pages of one process from memory, which makes that process smaller.
    // Both runs are then repeated.
    std::uint64_t named = 0, bytes = 0;
    const auto agree = [&] {
      return bytes <= (named + kSpreadMebibytes) * kMebibyte &&
             bytes + (kSpreadMebibytes + 1) * kMebibyte >= named * kMebibyte;  // the verb rounds the budget
                                                                               // up
    };
    for (int attempt = 0; attempt < 3 && (named == 0 || !agree()); ++attempt) {
      named = named_budget(run(doing, 20).err);
      ASSERT_GT(named, 0U);
      const Outcome plan = run(planned, 20);
      const auto plans = nlohmann::json::parse(plan.out);
      ASSERT_FALSE(plans.empty()) << plan.err;
      bytes = plans.at(0).at("smallest_process_budget_bytes");
    }
    EXPECT_TRUE(agree()) << "the verb names " << named << " MiB, the plan " << bytes << " bytes";
  };
  compare("encode", {records, "--weights", path("weights"), "--threads", "1"}, {"--store", path("a-store")});
  compare("train", {benchmark, "--encoder", "ecfp", "--hidden-dim", "1024", "--batch-size", "2000"},
          {"--store", path("a-store"), "--run", path("new-run")});
  compare("domain",
          {place_->file("training.smi", small_ones(300) + std::string(900, 'C') + "\n"), records, "--encoder",
           "ecfp"},
          {"--store", path("a-store"), "--out", path("out.csv")});
  for (const std::string method : {"knn", "all"}) {
    compare("baseline", {benchmark, "--encoder", "ecfp", "--method", method},
            {"--store", path("a-store"), "--run", path("new-run")});
  }
}

/// A file of invalid lines must not take more memory than the plan for valid lines.
TEST_F(NamedBudget, HoldsHoweverManyRecordsFail) {
  constexpr std::size_t kBadLines = 10'000, kCharacters = 1'000;
  // The file is read line by line, because a child process starts with the memory of this process, and this
  // memory counts in the peak of the child.
  const std::string input = place_->file("bad.smi", small_ones());
  {
    std::ofstream records(input, std::ios::app);
    for (std::size_t i = 0; i < kBadLines; ++i) {
      const std::string number = std::to_string(i);
      records << number << std::string(kCharacters - number.size(), '?') << '\n';
    }
  }
  const auto expect_bounded = [&](const Arguments& arguments) {
    SCOPED_TRACE(arguments[0]);
    const std::uint64_t named = named_budget(run(arguments, 20).err);
    ASSERT_GT(named, 0U);
    const Outcome outcome = run(arguments, named);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err.substr(0, 2000);
    EXPECT_LE(static_cast<double>(outcome.peak_resident_bytes),
              kBudgetTolerance * static_cast<double>(named * kMebibyte));
    EXPECT_NE(outcome.err.find("and 9995 more"), std::string::npos);
    if (std::getenv("MOLGAUGE_SHOW_BUDGETS") != nullptr) {
      fmt::print("{}: {} of {} MiB\n", arguments[0], outcome.peak_resident_bytes / kMebibyte, named);
    }
  };
  expect_bounded({"encode", input, "--encoder", "ecfp", "--store", path("a-store")});
  expect_bounded({"score", path("run"), input, "--store", path("a-store"), "--out", path("out.csv")});
  expect_bounded({"predict", (own_data("chemprop") / "v2_regression.pt").string(), input, "--store",
                  path("a-store"), "--out", path("out.csv")});
}

}  // namespace
}  // namespace molgauge::test
