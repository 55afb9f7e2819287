#include "molecules/datasets/label_column.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"

namespace molgauge::datasets {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// Reads a column whose first cell is in line 2 of assay.csv. Returns the labels.
std::vector<double> labels_in(LabelColumn& column, const std::vector<std::string>& cells) {
  std::vector<double> labels;
  for (const std::string& cell : cells) {
    chem::MoleculeRecord record;
    record.file = "assay.csv";
    record.line = labels.size() + 2;
    labels.push_back(column.read(cell, record));
  }
  return labels;
}

std::string message_for(const std::vector<std::string>& cells, Censoring censoring = Censoring::left_out) {
  try {
    LabelColumn column("outcome", censoring);
    labels_in(column, cells);
    column.require_valid();
  } catch (const InputError& problem) {
    return problem.what();
  }
  return "accepted";
}

TEST(LabelColumn, ReadsNamesOfClasses) {
  for (const auto& [positive, negative] :
       std::vector<std::pair<std::string, std::string>>{{"True", "False"},
                                                        {"T", "f"},
                                                        {"Active", "INACTIVE"},
                                                        {"yes", "No"},
                                                        {"Positive", "negative"},
                                                        {"1", "0"},
                                                        {"1.0", "0.0"}}) {
    LabelColumn column("outcome");
    EXPECT_THAT(labels_in(column, {positive, " " + negative + " ", positive}), ElementsAre(1, 0, 1));
    column.require_valid();
    EXPECT_EQ(column.known(), 3U);
    EXPECT_TRUE(column.has_two_classes());
  }
  EXPECT_EQ(message_for({"active", "0", "1.0", "no"}), "accepted")
      << "different words for the same two classes";
}

TEST(LabelColumn, MissingLabelsAreNotCounted) {
  LabelColumn column("outcome");
  for (const double label :
       labels_in(column, {"", "  ", "NA", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "None", "?"})) {
    EXPECT_TRUE(std::isnan(label));
  }
  column.require_valid();
  EXPECT_EQ(column.known(), 0U);
  EXPECT_EQ(column.censored().count, 0U);
}

TEST(LabelColumn, CensoredValuesAreCountedAndAreNotNumbers) {
  LabelColumn column("IC50");
  const auto labels = labels_in(column, {"0.35", ">10", "<=3", ">= 5", "<1.5", "~ 7", "\u226410", "\u2265 10",
                                         ">~1e3", "=<2", "=4.5", "-1.5"});
  column.require_valid();
  EXPECT_EQ(labels.front(), 0.35);
  for (std::size_t i = 1; i < 10; ++i) {
    EXPECT_TRUE(std::isnan(labels[i])) << i;
  }
  EXPECT_EQ(labels[10], 4.5) << "= is exact";
  EXPECT_EQ(labels[11], -1.5);
  EXPECT_EQ(column.known(), 3U);
  EXPECT_EQ(column.censored().count, 9U);
  EXPECT_EQ(column.censored().first, ">10");
  EXPECT_THAT(message_for({"1", "> 10"}, Censoring::refused),
              AllOf(HasSubstr("assay.csv:3: '> 10' in the column outcome is a censored value"),
                    HasSubstr("--relation-column")));
}

TEST(LabelColumn, UnknownTextsAreNamedWithTheAcceptedForms) {
  EXPECT_THAT(message_for({"1", "0", "inconclusive"}),
              AllOf(HasSubstr("assay.csv:4: 'inconclusive' in the column outcome is neither a number nor a "
                              "class"),
                    HasSubstr("true and false"), HasSubstr("active and inactive"), HasSubstr("NA"),
                    Not(HasSubstr("two classes. Make"))));
  EXPECT_THAT(message_for({"medium", "low", "NA", "high", "low"}),
              AllOf(HasSubstr("assay.csv:2: 'medium'"), HasSubstr("the texts medium, low, high"),
                    HasSubstr("1 for one of the classes and 0 for the others"), HasSubstr("yes and no")));
  EXPECT_THAT(message_for({"6.2", "high", "low"}), HasSubstr("the texts high, low."));
  EXPECT_THAT(message_for({"5", ">"}), HasSubstr("assay.csv:3: '>'"));
  EXPECT_THAT(message_for({"5", "1e101"}),
              HasSubstr("assay.csv:3: '1e101' in the column outcome is too large"));
  std::vector<std::string> many;
  for (char letter = 'a'; letter <= 'z'; ++letter) {
    many.push_back(std::string("class ") + letter);
  }
  EXPECT_THAT(message_for(many), HasSubstr("class i, class j, ..."));
}

TEST(LabelColumn, NamesOfClassesAndOtherNumbersAreRefused) {
  EXPECT_THAT(
      message_for({"active", "0", "6.2"}),
      HasSubstr("assay.csv:4: '6.2' in the column outcome is a number, but 'active' at line 2 is a class"));
}

TEST(LabelColumn, SmallIntegersLookLikeClasses) {
  const auto look_like_classes = [](const std::vector<std::string>& cells) {
    LabelColumn column;
    labels_in(column, cells);
    return column.look_like_several_classes();
  };
  EXPECT_TRUE(look_like_classes({"0", "1", "2"}));
  EXPECT_TRUE(look_like_classes({"2.0", "1.0", "NA", "3.0"}));
  EXPECT_TRUE(look_like_classes({"-1", "0", "1"}));
  EXPECT_TRUE(look_like_classes({"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}));
  EXPECT_FALSE(look_like_classes({"0", "1"}));
  EXPECT_FALSE(look_like_classes({"0", "0.5", "1"}));
  EXPECT_FALSE(look_like_classes({"5", "6", "7", "8"})) << "rounded pIC50 values";
  EXPECT_FALSE(look_like_classes({"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}));
  EXPECT_FALSE(look_like_classes({"1", "10", "100"}));
}

}  // namespace
}  // namespace molgauge::datasets
