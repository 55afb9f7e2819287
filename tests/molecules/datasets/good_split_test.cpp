#include "molecules/datasets/good_split.h"

#include <algorithm>
#include <array>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"

namespace molgauge::datasets {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Lt;
using testing::SizeIs;

/// 100 rows. Row i is in domain i / per_domain.
DomainTable even_domains(std::size_t per_domain) {
  std::vector<std::size_t> values(100);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = i / per_domain;
  }
  return domains_by_value(values);
}

std::vector<std::size_t> all_rows(const SplitParts& parts) {
  std::vector<std::size_t> rows;
  for (const auto* part : {&parts.train, &parts.iid_val, &parts.iid_test, &parts.ood_val, &parts.ood_test}) {
    rows.insert(rows.end(), part->begin(), part->end());
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

std::vector<std::size_t> counted(std::size_t count) {
  std::vector<std::size_t> rows(count);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

TEST(GoodCovariateSplit, GivesWholeDomainsToTheShiftedParts) {
  PythonRandom random(1);
  const GoodSplit split = good_covariate_split(even_domains(5), DomainOrder::ascending, random);
  EXPECT_THAT(split.parts.ood_val, ElementsAre(80, 81, 82, 83, 84, 85, 86, 87, 88, 89));
  EXPECT_THAT(split.parts.ood_test, ElementsAre(90, 91, 92, 93, 94, 95, 96, 97, 98, 99));
  EXPECT_THAT(split.parts.train, SizeIs(60));
  EXPECT_THAT(split.parts.iid_val, SizeIs(10));
  EXPECT_THAT(split.parts.iid_test, SizeIs(10));
  EXPECT_EQ(all_rows(split.parts), counted(100));
}

TEST(GoodCovariateSplit, ADomainThatCrossesALimitStaysWhole) {
  PythonRandom random(1);
  const GoodSplit split = good_covariate_split(even_domains(30), DomainOrder::ascending, random);
  EXPECT_THAT(split.parts.ood_val, SizeIs(10)) << "domain 3 begins at 90, past the limit of 80";
  EXPECT_THAT(split.parts.ood_test, IsEmpty());
}

TEST(GoodCovariateSplit, DescendingTrainsOnTheOtherEnd) {
  PythonRandom random(1);
  const GoodSplit split = good_covariate_split(even_domains(5), DomainOrder::descending, random);
  EXPECT_THAT(split.parts.ood_test, ElementsAre(9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
}

TEST(GoodCovariateSplit, EnvironmentsFollowTheDomainsOfTraining) {
  PythonRandom random(1);
  const GoodSplit split = good_covariate_split(even_domains(5), DomainOrder::ascending, random);
  ASSERT_EQ(split.train_environment.size(), split.parts.train.size());
  for (std::size_t i = 0; i < split.parts.train.size(); ++i) {
    // There is a limit every 8 rows, and each limit is moved to the next domain: 0 10 20 25 35 40 50 60 65
    // 75.
    constexpr std::array<std::size_t, 10> kStarts = {0, 10, 20, 25, 35, 40, 50, 60, 65, 75};
    const auto after = std::upper_bound(kStarts.begin(), kStarts.end(), split.parts.train[i]);
    EXPECT_EQ(split.train_environment[i], static_cast<std::size_t>(after - kStarts.begin() - 1));
  }
}

TEST(GoodCovariateSplit, IsTheSameForTheSameSeed) {
  PythonRandom first(9), second(9), other(10);
  const auto domains = even_domains(5);
  const auto split = good_covariate_split(domains, DomainOrder::ascending, first);
  EXPECT_EQ(split.parts.train, good_covariate_split(domains, DomainOrder::ascending, second).parts.train);
  EXPECT_NE(split.parts.train, good_covariate_split(domains, DomainOrder::ascending, other).parts.train);
}

TEST(GoodCovariateSplit, RefusesNoRows) {
  PythonRandom random(1);
  EXPECT_THROW(good_covariate_split({}, DomainOrder::ascending, random), InputError);
}

/// Labels alternate from row to row, so every domain has both labels.
std::vector<float> alternating_labels() {
  std::vector<float> labels(100);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    labels[i] = static_cast<float>(i % 2);
  }
  return labels;
}

/// The share of label 1 in the first half of the rows, or in the second half. The first half contains the
/// domains before the middle.
double positive_share(const std::vector<std::size_t>& rows, bool first_half) {
  double positive = 0, count = 0;
  for (const std::size_t row : rows) {
    if ((row < 50) == first_half) {
      positive += row % 2;
      ++count;
    }
  }
  return positive / count;
}

TEST(GoodConceptSplit, TurnsTheConceptRoundBetweenTrainingAndTest) {
  PythonRandom random(1);
  const GoodSplit split =
      good_concept_split(even_domains(25), alternating_labels(), GoodStyle::classes, random);
  EXPECT_GT(positive_share(split.parts.train, true), 0.7);
  EXPECT_LT(positive_share(split.parts.train, false), 0.3);
  EXPECT_LT(positive_share(split.parts.ood_test, true), 0.3);
  EXPECT_GT(positive_share(split.parts.ood_test, false), 0.7);
  EXPECT_EQ(all_rows(split.parts), counted(100));
  ASSERT_EQ(split.train_environment.size(), split.parts.train.size());
  EXPECT_THAT(split.train_environment, Each(Lt(3U)));
}

TEST(GoodConceptSplit, AddsTheKindThatADomainWouldMiss) {
  PythonRandom random(1);
  // There are two domains. The first has 49 aligned rows and one opposed row.
  std::vector<float> labels(100, 1.0F);
  labels[20] = 0;
  std::fill(labels.begin() + 50, labels.end(), 0.0F);
  const GoodSplit split = good_concept_split(even_domains(50), labels, GoodStyle::classes, random);
  EXPECT_THAT(all_rows(split.parts), SizeIs(100));
  const auto& val = split.parts.ood_val;
  EXPECT_THAT(val, testing::Not(testing::Contains(20U))) << "the first group already takes the odd one";
}

TEST(GoodConceptSplit, ValuesOnTheMedianAreLeftForValidation) {
  PythonRandom random(1);
  std::vector<float> labels(100, 2.5F);
  labels[0] = 1;
  labels[99] = 4;
  const GoodSplit split = good_concept_split(even_domains(5), labels, GoodStyle::values, random);
  EXPECT_GE(split.parts.ood_val.size(), 98U);
}

TEST(GoodConceptSplit, RefusesNoRows) {
  PythonRandom random(1);
  EXPECT_THROW(good_concept_split({}, {}, GoodStyle::classes, random), InputError);
}

TEST(GoodNoShiftSplit, SharesRowsAtRandom) {
  PythonRandom random(1);
  const GoodSplit split = good_no_shift_split(100, random);
  EXPECT_THAT(split.parts.train, SizeIs(60));
  EXPECT_THAT(split.parts.ood_val, SizeIs(20));
  EXPECT_THAT(split.parts.ood_test, SizeIs(20));
  EXPECT_EQ(all_rows(split.parts), counted(100));
  EXPECT_THAT(split.train_environment, SizeIs(60));
  EXPECT_THAT(split.train_environment, Each(Lt(kGoodEnvironments)));
}

}  // namespace
}  // namespace molgauge::datasets
