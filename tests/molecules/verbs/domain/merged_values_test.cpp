#include "molecules/verbs/domain/merged_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "molecules/verbs/domain/domain_labels.h"

namespace molgauge::verbs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

using Pairs = std::vector<std::pair<std::size_t, double>>;

MergedValues merged_values(const Pairs& pairs) {
  MergedValues values;
  for (const auto& [molecule, value] : pairs) {
    values.add(molecule, value);
  }
  return values;
}

domain::LabelNotes notes_of(const MergedValues& values) {
  const std::vector<std::string> names = {"one", "two", "three", "four", "five", "six", "seven"};
  return describe_labels(values, names, names);
}

TEST(MergedValues, MeasuredValuesGiveTheMeanOfTheKnownOnes) {
  const MergedValues values = merged_values(
      {{0, 1.5}, {1, kNone}, {0, 2.5}, {0, kNone}, {2, 0.1}, {2, 0.1}, {2, 0.1}, {1, 7}, {3, kNone}});
  EXPECT_FALSE(values.are_classes());
  ASSERT_EQ(values.size(), 4U);
  EXPECT_EQ(values.merged(0), 2);
  EXPECT_EQ(values.merged(1), 7);
  EXPECT_EQ(values.merged(2), 0.1) << "equal values are not rounded";
  EXPECT_TRUE(std::isnan(values.merged(3)));
  const domain::LabelNotes notes = notes_of(values);
  EXPECT_EQ(notes.conflicts, 1U);
  EXPECT_EQ(notes.median_range, 1);
  EXPECT_EQ(notes.listed.at(0).name, "one");
  EXPECT_THAT(notes.listed.at(0).labels, ElementsAre(1.5, 2.5));
}

TEST(MergedValues, TheMedianOfAnEvenNumberOfRangesIsBetween) {
  EXPECT_EQ(notes_of(merged_values({})).median_range, 0);
  EXPECT_EQ(notes_of(merged_values({{0, 0}, {1, 0}, {0, 1}, {1, 4}})).median_range, 2.5);
}

/// Of these molecules, the second has a majority, and the third has none.
TEST(MergedValues, ClassesGiveTheMajorityAndTiesNothing) {
  const MergedValues values = merged_values({{0, 1}, {1, 1}, {2, 0}, {1, 0}, {2, 1}, {1, 1}, {0, 1}, {3, 0}});
  EXPECT_TRUE(values.are_classes());
  EXPECT_EQ(values.merged(0), 1);
  EXPECT_EQ(values.merged(1), 1);
  EXPECT_TRUE(std::isnan(values.merged(2)));
  EXPECT_EQ(values.merged(3), 0);
  const domain::LabelNotes notes = notes_of(values);
  EXPECT_TRUE(notes.are_classes);
  EXPECT_EQ(notes.conflicts, 2U);
  EXPECT_EQ(notes.ties, 1U);
  EXPECT_EQ(notes.median_range, 0);
  EXPECT_THAT(notes.listed.at(0).labels, ElementsAre(0, 1, 1));
  EXPECT_THAT(
      label_notices(notes),
      ElementsAre("2 training molecules with both classes: two (0, 1, 1), three (0, 1). Molgauge uses "
                  "the class of the majority. 1 molecule without a majority is left out of the error "
                  "curve."));
}

/// Means of the labels 0 and 1 would be three distinct values, so the task would be a regression.
TEST(MergedValues, TheTaskIsThatOfTheLabelsBeforeTheyAreMerged) {
  EXPECT_TRUE(merged_values({{0, -1}, {1, 1}, {0, 1}}).are_classes());
  EXPECT_FALSE(merged_values({{0, 0}, {1, 1}, {0, 0.5}}).are_classes());
  EXPECT_FALSE(merged_values({{0, 1}, {1, 1}}).are_classes());
}

TEST(MergedValues, TheOrderOfTheRowsDoesNotMatter) {
  Pairs pairs;
  std::mt19937 random(3);
  std::normal_distribution<double> noise;
  for (std::size_t i = 0; i < 70; ++i) {
    pairs.emplace_back(i % 7, 5 + noise(random));
  }
  const MergedValues values = merged_values(pairs);
  for (int order = 0; order < 5; ++order) {
    std::shuffle(pairs.begin(), pairs.end(), random);
    const MergedValues shuffled = merged_values(pairs);
    for (std::size_t molecule = 0; molecule < 7; ++molecule) {
      EXPECT_EQ(shuffled.merged(molecule), values.merged(molecule));
    }
  }
}

TEST(LabelNotices, ListTheFirstMoleculesAndCensoredValues) {
  domain::LabelNotes notes;
  EXPECT_TRUE(label_notices(notes).empty());
  notes.conflicts = 7;
  notes.median_range = 0.25;
  for (int i = 0; i < 7; ++i) {
    notes.listed.push_back({"m" + std::to_string(i), "C", {6, 6.25}, 6.125});
  }
  notes.censored = {12, ">10"};
  notes.censored_in_calibration = {1, "<3"};
  const std::vector<std::string> notices = label_notices(notes);
  ASSERT_EQ(notices.size(), 3U);
  EXPECT_THAT(notices[0], HasSubstr("7 training molecules with several different values: m0 (6, 6.25), "));
  EXPECT_THAT(notices[0], HasSubstr("m4 (6, 6.25) and 2 more. Molgauge uses the mean"));
  EXPECT_EQ(notices[1],
            "12 censored values of the training molecules such as >10 are left out of the error curve.");
  EXPECT_EQ(notices[2],
            "1 censored value of the calibration molecules such as <3 is left out of the calibration.");
}

}  // namespace
}  // namespace molgauge::verbs
