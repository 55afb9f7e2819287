// Tests the warnings of train, evaluate and score about a run whose validation results are much better than
// its test results.

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class ValidationGap : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(place_.split(place_.nci_molecules(200), benchmark_).exit_code, 0); }

  /// Writes a file of splits in which the OOD molecules of the training and validation parts are aromatic
  /// halides. `test_ood`: the first characters of the SMILES of the OOD molecules in the test part.
  std::string splits(const std::vector<std::string>& test_ood) const {
    const std::vector<std::string> ends = {"O", "N", "C(=O)O", "OC", "C(=O)N", "S"};
    const auto family = [&](const std::vector<std::string>& beginnings) {
      std::vector<std::string> molecules;
      for (std::size_t chain = 1; chain <= 12; ++chain) {
        for (const std::string& beginning : beginnings) {
          for (const std::string& end : ends) {
            molecules.push_back(beginning + std::string(chain, 'C') + end);
          }
        }
      }
      return molecules;
    };
    const auto part = [](const std::vector<std::string>& molecules, std::size_t first) {
      nlohmann::json list = nlohmann::json::array();
      for (std::size_t i = first; i < molecules.size(); i += 3) {
        list.push_back(molecules[i]);
      }
      return list;
    };
    const auto own = family({"C1CCCCC1", "C1CCCC1"}), halides = family({"Fc1ccc(cc1Br)", "Clc1cccc(c1F)"});
    const nlohmann::json cache = {{"metadata", {{"data_seed", 42}}},
                                  {"splits",
                                   {{"train_id", part(own, 0)},
                                    {"train_ood", part(halides, 0)},
                                    {"val_id", part(own, 1)},
                                    {"val_ood", part(halides, 1)},
                                    {"test_id", part(own, 2)},
                                    {"test_ood", part(family(test_ood), 2)}}}};
    return place_.file("splits.json", cache.dump());
  }

  Outcome train(const std::string& cache, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"--splits-cache", cache, "--epochs", "8", "--restart"};
    words.insert(words.end(), more.begin(), more.end());
    return place_.train(benchmark_, run_, words);
  }
  nlohmann::json gap_in(const std::string& file) const {
    return nlohmann::json::parse(read_file(run_ + "/" + file)).at("validation_test_gap");
  }

  Workplace place_;
  std::string benchmark_ = place_.path("benchmark.json"), run_ = place_.path("run");
};

TEST_F(ValidationGap, IsWarnedOfByTrainEvaluateAndScore) {
  const auto warns =
      AllOf(HasSubstr("the AUROC on all validation molecules is "), HasSubstr("the test AUROC is "));
  const Outcome trained = train(splits({"C1CCCCCC1", "C1CCC1"}));
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_THAT(trained.err, warns);
  EXPECT_THAT(trained.out, ContainsRegex("best validation AUROC [01][.][0-9]+ in epoch [0-9 of]+.*\n"
                                         "test AUROC [01][.][0-9]+\n"));
  EXPECT_TRUE(gap_in("training_stats.json").at("is_large").get<bool>());
  EXPECT_FALSE(std::filesystem::exists(run_ + "/ood_evaluation_results.json"));

  const std::string molecules = place_.file("m.smi", "CCO\nFc1ccc(cc1Br)CCC\n");
  const Outcome scored =
      place_.score(run_, molecules, {"--page", place_.path("page.html"), "--format", "table"});
  ASSERT_EQ(scored.exit_code, 0) << scored.err;
  EXPECT_THAT(scored.err, warns);
  EXPECT_THAT(read_file(place_.path("page.html")), warns);

  const Outcome evaluated = place_.evaluate(run_);
  ASSERT_EQ(evaluated.exit_code, 0) << evaluated.err;
  EXPECT_THAT(evaluated.err, warns);
  EXPECT_THAT(evaluated.out, HasSubstr("validation AUROC"));
  const auto gap = gap_in("ood_evaluation_results.json");
  EXPECT_EQ(gap, gap_in("training_stats.json"));
  EXPECT_GT(gap.at("validation_auroc").get<double>(), 0.9);
  EXPECT_LT(gap.at("test_auroc").get<double>(), 0.8);
  EXPECT_DOUBLE_EQ(gap.at("test_auroc").get<double>(),
                   nlohmann::json::parse(read_file(run_ + "/test_metrics.json")).at("auroc").get<double>());
}

TEST_F(ValidationGap, IsNotWarnedOfIfTestIsLikeValidation) {
  const auto warns = HasSubstr("the AUROC on all validation molecules is ");
  const Outcome trained = train(splits({"Fc1cccc(c1Br)", "Fc1ccc(cc1Cl)"}));
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_THAT(trained.err, Not(warns));
  EXPECT_FALSE(gap_in("training_stats.json").at("is_large").get<bool>());
  EXPECT_THAT(place_.score(run_, place_.file("m.smi", "CCO\n")).err, Not(warns));
}

TEST_F(ValidationGap, OfSeveralSeedsIsTheMean) {
  const Outcome trained = train(splits({"C1CCCCCC1", "C1CCC1"}), {"--seeds", "2"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_THAT(trained.err, HasSubstr("the AUROC on all validation molecules is "));
  const Outcome scored = place_.score(run_, place_.file("m.smi", "CCO\n"));
  ASSERT_EQ(scored.exit_code, 0) << scored.err;
  EXPECT_THAT(scored.err, HasSubstr("the AUROC on all validation molecules is "));
}

/// The similarity to the OOD molecules of the training part is not a verdict, so the table leaves it out. The
/// CSV file has it, but does not call it a probability.
TEST_F(ValidationGap, NoProbabilityStandsNextToTheVerdict) {
  ASSERT_EQ(train(splits({"C1CCCCCC1", "C1CCC1"})).exit_code, 0);
  const std::string molecules = place_.file("m.smi", "CCO\n");
  EXPECT_THAT(place_.score(run_, molecules, {"--format", "table"}).out,
              Not(HasSubstr("resembles_training_ood")));
  const Outcome csv = place_.score(run_, molecules, {"--format", "csv"});
  EXPECT_THAT(csv.out, HasSubstr("resembles_training_ood"));
  EXPECT_THAT(csv.out, Not(HasSubstr("probability")));
  EXPECT_THAT(csv.err, HasSubstr("compares a molecule with the OOD molecules of the training"));
}

}  // namespace
}  // namespace molgauge::test
