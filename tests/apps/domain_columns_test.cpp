// Tests that `molgauge domain` checks the columns named by options before it encodes anything.

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class DomainColumns : public testing::Test {
 protected:
  /// 240 distinct molecules. `active` is 1 for alcohols, and `pki` grows with the length of the chain.
  std::string training_file() {
    std::string text = "Structure,compound,active,pki,comment\n";
    int count = 0;
    for (int chain = 1; chain <= 10; ++chain) {
      for (const char* const end : {"O", "N", "C(=O)O", "Cl"}) {
        for (const char* const ring : {"c1ccccc1", "C1CCCCC1", "c1ccncc1", "C1CCCC1", "c1ccsc1", "C1CC1"}) {
          text += std::string(ring) + std::string(static_cast<std::size_t>(chain), 'C') + end + ",m" +
                  std::to_string(count++) + "," + (std::string(end) == "O" ? "1" : "0") + ",+" +
                  std::to_string(chain * 0.5) + ",text\n";
        }
      }
    }
    return place_.file("train.csv", text);
  }

  Outcome domain(const std::string& training, const std::string& candidates,
                 std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"domain", training, candidates, "--encoder", "ecfp",
                                      "--out",  out_,     "--store",  store_};
    words.insert(words.end(), more.begin(), more.end());
    return molgauge(words);
  }
  Outcome domain(std::vector<std::string> more) const {
    more.insert(more.begin(), {"--train-smiles-column", "structure"});
    return domain(training_, candidates_, more);
  }

  /// Expects that nothing was encoded or written.
  void expect_untouched(const Outcome& outcome) const {
    EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(store_)) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(out_));
    EXPECT_FALSE(std::filesystem::exists(out_ + ".parts"));
  }

  Workplace place_;
  std::string training_ = training_file(), out_ = place_.path("domain.csv"), store_ = place_.path("a store");
  std::string candidates_ = place_.file("candidates.csv", "id,smiles\na,CCCCO\nb,c1ccccc1CCN\n");
};

TEST_F(DomainColumns, WrongNamesAreRefusedWithTheNearestOne) {
  const Outcome label = domain({"--label-column", "pkI_"});
  expect_untouched(label);
  EXPECT_THAT(label.err, AllOf(HasSubstr("train.csv:1: "), HasSubstr("\"pkI_\""),
                               HasSubstr("Structure, compound, active, pki, comment"),
                               HasSubstr("Did you mean 'pki'?"), HasSubstr("--label-column")));
  const Outcome name = domain({"--name-column", "compuond"});
  expect_untouched(name);
  EXPECT_THAT(name.err, AllOf(HasSubstr("train.csv:1: "), HasSubstr("Did you mean 'compound'?"),
                              HasSubstr("--name-column")));
  const Outcome smiles = domain(training_, candidates_, {"--train-smiles-column", "Structrue"});
  expect_untouched(smiles);
  EXPECT_THAT(smiles.err, AllOf(HasSubstr("train.csv:1: "), HasSubstr("Did you mean 'Structure'?"),
                                HasSubstr("--train-smiles-column")));
  const Outcome candidate = domain({"--smiles-column", "smile"});
  expect_untouched(candidate);
  EXPECT_THAT(candidate.err, AllOf(HasSubstr("candidates.csv:1: "), HasSubstr("Did you mean 'smiles'?"),
                                   HasSubstr("--smiles-column")));
}

TEST_F(DomainColumns, TextAmongTheLabelsIsRefused) {
  const Outcome text = domain({"--label-column", "comment"});
  expect_untouched(text);
  EXPECT_THAT(text.err, AllOf(HasSubstr("train.csv:2: "), HasSubstr("'text'"), HasSubstr("comment")));
  std::string content = read_file(training_);
  content += "CCO,last,1,five,text\n";
  const Outcome last = domain(place_.file("late.csv", content), candidates_,
                              {"--train-smiles-column", "Structure", "--label-column", "pki"});
  expect_untouched(last);
  EXPECT_THAT(last.err, AllOf(HasSubstr("late.csv:242: "), HasSubstr("'five'")));
}

TEST_F(DomainColumns, LabelsThatCannotBePredictedAreRefused) {
  const Outcome few =
      domain(place_.file("few.csv", "smiles,y\nCCO,1\nCCN,\nCCC,2\n"), candidates_, {"--label-column", "y"});
  expect_untouched(few);
  EXPECT_THAT(few.err, AllOf(HasSubstr("few.csv"), HasSubstr("2 values"), HasSubstr("50")));
  std::string constant = "smiles,y\n";
  for (int i = 1; i <= 60; ++i) {
    constant += std::string(static_cast<std::size_t>(i), 'C') + "O,7\n";
  }
  const Outcome equal = domain(place_.file("constant.csv", constant), candidates_, {"--label-column", "y"});
  expect_untouched(equal);
  EXPECT_THAT(equal.err, HasSubstr("all values of the column y are 7"));
}

TEST_F(DomainColumns, AMissingFieldOfAnSdfIsRefused) {
  std::string block =
      "ethanol\n\n\n  3  2  0  0  0  0            999 V2000\n    0.0000    0.0000    0.0000 C   0  0\n"
      "    1.0000    0.0000    0.0000 C   0  0\n    2.0000    0.0000    0.0000 O   0  0\n  1  2  1  0\n"
      "  2  3  1  0\nM  END\n> <Activity>\n5\n\n$$$$\n";
  const Outcome outcome =
      domain(place_.file("train.sdf", block + block), candidates_, {"--label-column", "activty"});
  expect_untouched(outcome);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("train.sdf"), HasSubstr("Did you mean 'Activity'?"),
                                 HasSubstr("--label-column")));
}

TEST_F(DomainColumns, CandidatesWithAColumnOfTheResultOrDamageAreRefused) {
  const Outcome taken = domain(training_, place_.file("taken.csv", "smiles,domain\nCCO,x\n"),
                               {"--train-smiles-column", "Structure"});
  expect_untouched(taken);
  EXPECT_THAT(taken.err, AllOf(HasSubstr("taken.csv"), HasSubstr("column domain")));
  const Outcome error = domain(training_, place_.file("error.csv", "smiles,domain_expected_error\nCCO,x\n"),
                               {"--train-smiles-column", "Structure", "--label-column", "pki"});
  expect_untouched(error);
  EXPECT_THAT(error.err, HasSubstr("column domain_expected_error"));
  const Outcome value = domain(training_, place_.file("value.csv", "smiles,nearest_1_value\nCCO,x\n"),
                               {"--train-smiles-column", "Structure", "--label-column", "pki"});
  expect_untouched(value);
  EXPECT_THAT(value.err, HasSubstr("column nearest_1_value"));
  const Outcome damaged = domain(training_, place_.file("damaged.csv", "smiles,x\nCCO,1\n\"CCN\n"),
                                 {"--train-smiles-column", "Structure"});
  expect_untouched(damaged);
  EXPECT_THAT(damaged.err, HasSubstr("damaged.csv:3"));
}

TEST_F(DomainColumns, TwoLabelValuesGiveFiguresOfAClassification) {
  const Outcome outcome =
      domain({"--label-column", "active", "--name-column", "compound", "--save", place_.path("saved")});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("active: a simple classifier has an AUROC of "), HasSubstr("error rate of")));
  const auto json = nlohmann::json::parse(read_file(place_.path("domain.json")));
  const auto& curve = json.at("label_curve");
  EXPECT_EQ(curve.at("task"), "classification");
  EXPECT_EQ(curve.at("positive_class"), 1);
  EXPECT_EQ(curve.at("positive_molecules"), 60);
  EXPECT_GE(curve.at("auroc").get<double>(), 0.9);
  EXPECT_FALSE(curve.contains("mean_absolute_error"));
  EXPECT_LE(curve.at("error_rate_low"), curve.at("error_rate"));
  EXPECT_NEAR(curve.at("error_of_the_majority_class").get<double>(), 0.25, 0.01);
  for (const auto& bin : curve.at("bins")) {
    EXPECT_LE(bin.at("low"), bin.at("error_rate"));
    EXPECT_GE(bin.at("high"), bin.at("error_rate"));
    EXPECT_TRUE(bin.contains("auroc_high"));
  }
  const std::string page = read_file(place_.path("domain.html"));
  EXPECT_THAT(page, AllOf(HasSubstr("Error rate and AUROC by distance"), HasSubstr("AUROC of the classifier"),
                          HasSubstr("Error rate of a simple model"), Not(HasSubstr("ean absolute error"))));
  const std::string first = read_file(out_);
  EXPECT_THAT(first, HasSubstr("domain_expected_error"));
  const Outcome again =
      molgauge({"domain", place_.path("saved"), candidates_, "--out", out_, "--store", store_});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(read_file(out_), first);
  EXPECT_THAT(again.out, HasSubstr("active: a simple classifier"));
}

TEST_F(DomainColumns, NumbersMayHaveAPlusSign) {
  const Outcome outcome = domain({"--label-column", "pki"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("pki: a simple predictor has a mean absolute error of "));
  const auto json = nlohmann::json::parse(read_file(place_.path("domain.json")));
  EXPECT_EQ(json.at("label_curve").at("task"), "regression");
  EXPECT_GE(json.at("label_curve").at("mean_absolute_error_high"),
            json.at("label_curve").at("mean_absolute_error"));
}

}  // namespace
}  // namespace molgauge::test
