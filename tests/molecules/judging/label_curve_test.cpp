#include "molecules/judging/label_curve.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "base/core/error.h"
#include "made_up_molecules.h"
#include "molecules/judging/ridge.h"

namespace molgauge::domain {
namespace {

TEST(RidgeRegression, WithoutPenaltyFindsTheLine) {
  std::mt19937 random(1);
  std::normal_distribution<float> noise;
  std::vector<float> rows;
  std::vector<double> values;
  for (int i = 0; i < 200; ++i) {
    rows.insert(rows.end(), {noise(random), noise(random), 5.0F});
    values.push_back(3 + 2 * rows[rows.size() - 3] - rows[rows.size() - 2]);
  }
  RidgeRegression ridge(rows, values, 3, 1);
  ridge.fit(1e-9);
  EXPECT_NEAR(ridge.predict(std::vector<float>{1, 1, 5}), 4, 1e-5);
  ridge.fit(1e9);
  EXPECT_NEAR(ridge.predict(std::vector<float>{1, 1, 5}), ridge.mean(), 1e-6);
}

CalibratedDomain::Settings settings_of(DomainMethod method, std::size_t threads = 1) {
  return {.method = method, .level = 0.05, .threads = threads};
}

LabelCurve errors_of(const Molecules& molecules, const std::vector<std::string>& scaffolds,
                     std::span<const double> values, const CalibratedDomain::Settings& settings,
                     std::optional<LabelCurve::Task> task = std::nullopt) {
  return measure_errors(CalibratedDomain(molecules, scaffolds, {}, settings), scaffolds, values, settings,
                        task);
}

/// Adds a molecule with four drawn features, and returns the sum of their squares. The last feature is
/// constant, so that directions differ by the length of the rest.
double add_molecule(Molecules& molecules, const std::function<float()>& draw) {
  const auto number = static_cast<std::uint32_t>(molecules.size());
  molecules.width = 5;
  double squares = 0;
  for (int j = 0; j < 4; ++j) {
    molecules.features.push_back(draw());
    squares += molecules.features.back() * molecules.features.back();
  }
  molecules.features.push_back(1);
  molecules.environments.append(std::vector<std::pair<std::uint32_t, std::uint32_t>>{{number, 1}});
  molecules.properties.emplace_back();
  return squares;
}

/// The value is a curved function of the features. The error of a linear model therefore grows with the
/// distance from the middle.
TEST(LabelCurve, ErrorsGrowWithTheDistanceWhereTheyDo) {
  std::mt19937 random(2);
  std::normal_distribution<float> noise;
  Molecules molecules;
  std::vector<std::string> scaffolds;
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) {
    const double squares = add_molecule(molecules, [&] { return noise(random); });
    scaffolds.push_back(std::to_string(i / 5));
    values.push_back(squares > 8 ? squares : 0);
  }
  const LabelCurve curve = errors_of(molecules, scaffolds, values, settings_of(DomainMethod::mahalanobis, 2));
  EXPECT_EQ(curve.bins.size(), 10U);
  EXPECT_EQ(curve.molecules, 1000U);
  EXPECT_GT(curve.outer_tenth, 2 * curve.inner_half);
  EXPECT_LE(curve.bins.front().low, curve.bins.back().low);
  EXPECT_EQ(curve.expected_error(-1), curve.bins.front().error);
  EXPECT_EQ(curve.expected_error(1e9), curve.bins.back().error);
}

TEST(LabelCurve, LeavesOutMoleculesWithoutAValueAndRefusesTooFew) {
  std::mt19937 random(3);
  const Molecules molecules = made_up_molecules(200, random);
  std::vector<double> values(200, std::numeric_limits<double>::quiet_NaN());
  EXPECT_THROW(errors_of(molecules, made_up_scaffolds(200), values, settings_of(DomainMethod::knn)),
               InputError);
  for (std::size_t i = 0; i < 120; ++i) {
    values[i] = static_cast<double>(i % 7);
  }
  EXPECT_EQ(errors_of(molecules, made_up_scaffolds(200), values, settings_of(DomainMethod::knn)).molecules,
            120U);
  values[0] = 1e200;
  EXPECT_THROW(errors_of(molecules, made_up_scaffolds(200), values, settings_of(DomainMethod::knn)),
               InputError);
  std::fill(values.begin(), values.end(), 3);
  EXPECT_THROW(errors_of(molecules, made_up_scaffolds(200), values, settings_of(DomainMethod::knn)),
               InputError);
  values[0] = 4;
  values[1] = 5;
  EXPECT_THROW(errors_of(molecules, std::vector<std::string>(200), values, settings_of(DomainMethod::knn)),
               InputError);
}

/// Pairs of molecules share a scaffold, so leaving scaffolds out changes little.
std::vector<std::string> pairs(std::size_t count) {
  std::vector<std::string> scaffolds;
  for (std::size_t i = 0; i < count; ++i) {
    scaffolds.push_back(std::to_string(i / 2));
  }
  return scaffolds;
}

TEST(LabelCurve, DistancesAreThoseOfCandidatesWhenFewMoleculesHaveValues) {
  std::mt19937 random(5);
  constexpr std::size_t kTraining = 1500;
  const Molecules molecules = made_up_molecules(kTraining, random),
                  candidates = made_up_molecules(600, random);
  const std::vector<std::string> scaffolds = pairs(kTraining);
  std::vector<double> values(kTraining, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < kTraining; i += 10) {
    values[i] = static_cast<double>(i % 70);
  }
  for (const DomainMethod method : {DomainMethod::combined, DomainMethod::knn, DomainMethod::mahalanobis}) {
    const LabelCurve curve = errors_of(molecules, scaffolds, values, settings_of(method));
    const CalibratedDomain domain(molecules, scaffolds, {}, settings_of(method));
    std::size_t in_first = 0, in_first_half = 0;
    for (const ScoredMolecule& candidate : domain.score(candidates)) {
      in_first += candidate.score <= curve.bins.front().high ? 1 : 0;
      in_first_half += candidate.score <= curve.bins[curve.bins.size() / 2 - 1].high ? 1 : 0;
    }
    // The first bin should have a tenth of the candidates, and the first half of the bins should have half of
    // them. 150 molecules give only a low precision.
    EXPECT_LE(in_first, 600U * 20 / 100) << to_string(method);
    EXPECT_NEAR(static_cast<double>(in_first_half), 300, 75) << to_string(method);
  }
}

TEST(LabelCurve, IntervalsCountMoleculesOfAScaffoldAsRelated) {
  std::mt19937 random(6);
  std::normal_distribution<double> noise;
  const Molecules molecules = made_up_molecules(600, random);
  std::vector<std::string> related, unrelated;
  std::vector<double> values;
  std::vector<double> of_scaffold(20);
  for (double& value : of_scaffold) {
    value = 10 * noise(random);
  }
  for (std::size_t i = 0; i < 600; ++i) {
    related.push_back(std::to_string(i % 20));
    unrelated.push_back(std::to_string(i));
    values.push_back(of_scaffold[i % 20] + noise(random));
  }
  const LabelCurve clustered = errors_of(molecules, related, values, settings_of(DomainMethod::knn)),
                   independent = errors_of(molecules, unrelated, values, settings_of(DomainMethod::knn));
  EXPECT_EQ(clustered.scaffolds, 20U);
  EXPECT_GT(clustered.error_high - clustered.error_low, 2 * (independent.error_high - independent.error_low));
}

TEST(LabelCurve, TwoDistinctValuesAreClasses) {
  std::mt19937 random(7);
  std::normal_distribution<float> noise;
  Molecules molecules;
  std::vector<std::string> scaffolds;
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) {
    const double squares = add_molecule(molecules, [&] { return noise(random); });
    scaffolds.push_back(std::to_string(i / 4));
    // Far from the middle, the class is independent of the features.
    const double slope = molecules.features[molecules.features.size() - 4];
    const bool is_positive = squares > 6 ? noise(random) > 0 : slope + 0.3 * noise(random) > 0;
    values.push_back(is_positive ? 2 : -1);
  }
  const LabelCurve curve = errors_of(molecules, scaffolds, values, settings_of(DomainMethod::mahalanobis, 2));
  ASSERT_TRUE(curve.is_classification());
  EXPECT_EQ(curve.negative_value, -1);
  EXPECT_EQ(curve.positive_value, 2);
  EXPECT_GT(curve.positives, 300U);
  EXPECT_GT(curve.auroc.value, 0.75);
  EXPECT_LT(curve.auroc.low, curve.auroc.value);
  EXPECT_GT(curve.auroc.high, curve.auroc.value);
  EXPECT_GT(curve.constant_error, 0.4);
  EXPECT_LT(curve.error, 0.3);
  EXPECT_LE(curve.error_low, curve.error);
  EXPECT_GE(curve.error_high, curve.error);
  EXPECT_GT(curve.outer_tenth, 2 * curve.inner_half);
  ASSERT_EQ(curve.bins.size(), 10U);
  EXPECT_GT(curve.bins.front().auroc.value, curve.bins.back().auroc.value);
  EXPECT_GT(curve.bins.front().scaffolds, 50U);
  std::size_t positives = 0;
  for (const LabelCurve::Bin& bin : curve.bins) {
    EXPECT_GE(bin.error, 0);
    EXPECT_LE(bin.error_high, 1);
    positives += bin.positives;
  }
  EXPECT_EQ(positives, curve.positives);
  EXPECT_EQ(curve.expected_error(1e9), curve.bins.back().error);
}

TEST(LabelCurve, ThreeDistinctValuesAreMeasuredValues) {
  std::mt19937 random(8);
  const Molecules molecules = made_up_molecules(200, random);
  std::vector<double> values(200, 0);
  for (std::size_t i = 0; i < 200; i += 2) {
    values[i] = 1;
  }
  EXPECT_TRUE(errors_of(molecules, pairs(200), values, settings_of(DomainMethod::knn)).is_classification());
  const LabelCurve regression =
      errors_of(molecules, pairs(200), values, settings_of(DomainMethod::knn), LabelCurve::Task::regression);
  EXPECT_FALSE(regression.is_classification()) << "the task can be stated";
  values[3] = 0.5;
  EXPECT_FALSE(errors_of(molecules, pairs(200), values, settings_of(DomainMethod::knn)).is_classification());
}

}  // namespace
}  // namespace molgauge::domain
