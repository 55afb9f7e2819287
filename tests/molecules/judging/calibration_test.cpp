#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "base/core/error.h"
#include "made_up_molecules.h"
#include "molecules/judging/calibrated_domain.h"
#include "molecules/judging/held_out_distribution.h"
#include "molecules/judging/judge.h"

namespace molgauge::domain {
namespace {

/// Returns the largest excess of small numbers over the uniform distribution on (0, 1].
double excess_of_small(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  const auto count = static_cast<double>(numbers.size());
  double largest = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    largest = std::max(largest, static_cast<double>(i + 1) / count - numbers[i]);
  }
  return largest;
}

double p_value(const CalibratedDomain& domain, float score) {
  return HeldOutDistribution(domain.calibration().left_out).p_value(score);
}

class EveryMethod : public testing::TestWithParam<DomainMethod> {};

/// Draws a training set and one molecule from the same distribution, 200 times. 1.63/sqrt(200) is the 1 %
/// critical value of the Kolmogorov-Smirnov test. Only an excess of small p-values counts, because left-out
/// distances are slightly larger than distances to the whole training set.
TEST_P(EveryMethod, SmallPValuesOfExchangeableMoleculesAreNotTooFrequent) {
  std::vector<double> p_values;
  for (unsigned draw = 0; draw < 200; ++draw) {
    std::mt19937 random(draw);
    const CalibratedDomain domain(made_up_molecules(200, random), made_up_scaffolds(200), {},
                                  {.method = GetParam(), .level = 0.05, .threads = 1});
    const auto scored = domain.score(made_up_molecules(1, random));
    p_values.push_back(p_value(domain, scored[0].score));
  }
  EXPECT_LE(excess_of_small(p_values), 1.63 / std::sqrt(200.0));
}

TEST_P(EveryMethod, ForeignMoleculesHaveSmallPValues) {
  std::mt19937 random(1);
  const CalibratedDomain domain(made_up_molecules(400, random), made_up_scaffolds(400), {},
                                {.method = GetParam(), .level = 0.05, .threads = 2});
  double mean = 0;
  for (const ScoredMolecule& scored : domain.score(foreign_molecules(50, random))) {
    mean += p_value(domain, scored.score) / 50;
  }
  EXPECT_LE(mean, 0.25);
}

TEST_P(EveryMethod, ScoresDependOnNeitherThreadsNorTheOtherMolecules) {
  std::mt19937 random(2);
  const Molecules training = made_up_molecules(300, random), others = made_up_molecules(50, random);
  const auto domain_with = [&](std::size_t threads) {
    return std::make_unique<CalibratedDomain>(
        training, made_up_scaffolds(300), std::vector<Hash128>(),
        CalibratedDomain::Settings{.method = GetParam(), .level = 0.05, .threads = threads});
  };
  const auto one = domain_with(1), three = domain_with(3);
  EXPECT_EQ(one->calibration().left_out, three->calibration().left_out);
  EXPECT_EQ(one->calibration().scaffold, three->calibration().scaffold);
  const auto together = three->score(others);
  for (std::size_t i = 0; i < others.size(); ++i) {
    Molecules alone;
    alone.append(others, i);
    const auto scored = one->score(alone);
    EXPECT_EQ(scored[0].score, together[i].score);
    EXPECT_EQ(scored[0].nearest[0].molecule, together[i].nearest[0].molecule);
  }
}

/// The calibration of a training set is the same in any order.
TEST_P(EveryMethod, CalibrationDoesNotDependOnTheOrder) {
  std::mt19937 random(12);
  const Molecules training = made_up_molecules(150, random);
  const std::vector<std::string> scaffolds = made_up_scaffolds(150);
  Molecules reversed;
  std::vector<std::string> reversed_scaffolds(scaffolds.rbegin(), scaffolds.rend());
  for (std::size_t i = training.size(); i > 0; --i) {
    reversed.append(training, i - 1);
  }
  const CalibratedDomain::Settings settings{.method = GetParam(), .threads = 1};
  const CalibratedDomain one(training, scaffolds, {}, settings),
      other(reversed, reversed_scaffolds, {}, settings);
  for (std::size_t i = 0; i < 150; ++i) {
    EXPECT_NEAR(one.calibration().left_out[i], other.calibration().left_out[i], 1e-4);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod,
                         testing::Values(DomainMethod::combined, DomainMethod::knn, DomainMethod::tanimoto,
                                         DomainMethod::rarity, DomainMethod::coverage,
                                         DomainMethod::mahalanobis, DomainMethod::density),
                         [](const auto& tested) { return to_string(tested.param); });

/// Each scaffold has its own direction in feature space.
TEST(Calibration, NewScaffoldsOfTheSameKindAreFartherThanMoleculesAtRandom) {
  std::mt19937 random(4);
  std::normal_distribution<float> noise(0, 0.05F);
  Molecules training;
  training.width = 50;
  std::vector<std::string> scaffolds;
  for (std::uint32_t i = 0; i < 300; ++i) {
    for (std::size_t j = 0; j < 50; ++j) {
      training.features.push_back((j == i % 50 ? 1.0F : 0.0F) + noise(random));
    }
    training.environments.append(std::vector<std::pair<std::uint32_t, std::uint32_t>>{{i, 1}});
    training.properties.emplace_back();
    scaffolds.push_back("scaffold " + std::to_string(i % 50));
  }
  const CalibratedDomain domain(training, scaffolds, {},
                                {.method = DomainMethod::knn, .level = 0.05, .threads = 1});
  ASSERT_FALSE(domain.calibration().scaffold.empty());
  const auto median = [](const std::vector<float>& scores) { return scores[scores.size() / 2]; };
  EXPECT_GT(median(domain.calibration().scaffold), 2 * median(domain.calibration().left_out));
}

TEST(Calibration, TooFewMoleculesAreRefused) {
  for (const std::size_t count : {0U, 1U, 3U, 19U}) {
    std::mt19937 random(5);
    EXPECT_THROW(CalibratedDomain(made_up_molecules(count, random), made_up_scaffolds(count), {}, {}),
                 InputError)
        << count;
  }
  std::mt19937 random(5);
  EXPECT_NO_THROW(CalibratedDomain(made_up_molecules(20, random), made_up_scaffolds(20), {}, {}));
}

/// A calibration of several minutes shows progress. Its last line says that all molecules were compared.
TEST_P(EveryMethod, CalibrationShowsItsProgress) {
  std::mt19937 random(8);
  const Molecules training = made_up_molecules(300, random);
  testing::internal::CaptureStderr();
  const CalibratedDomain domain(training, made_up_scaffolds(300, 100), {},
                                {.method = GetParam(), .level = 0.05, .threads = 2, .quiet = false});
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_FALSE(domain.calibration().scaffold.empty());
  EXPECT_NE(text.find("molecules (100 %), "), std::string::npos) << text;
}

/// All training molecules are equal, so they have the same score. With any method, this molecule is inside
/// the domain, and a different molecule is outside.
TEST_P(EveryMethod, OfEqualTrainingMoleculesTheSameOneIsInsideAndAnotherOutside) {
  std::mt19937 random(6);
  const Molecules one = made_up_molecules(1, random);
  Molecules training;
  for (int i = 0; i < 60; ++i) {
    training.append(one, 0);
  }
  const CalibratedDomain domain(training, made_up_scaffolds(60, 3), {},
                                {.method = GetParam(), .level = 0.05, .threads = 1});
  EXPECT_EQ(p_value(domain, domain.score(one)[0].score), 1);
  const float foreign = domain.score(foreign_molecules(1, random))[0].score;
  EXPECT_TRUE(std::isfinite(foreign));
  EXPECT_LE(p_value(domain, foreign), 0.05);
}

Calibration calibration_of(int molecules) {
  Calibration calibration;
  for (int i = 1; i <= molecules; ++i) {
    calibration.left_out.push_back(static_cast<float>(i));
  }
  return calibration;
}

TEST(JudgeList, VerdictsFollowFromThePValueAlone) {
  const auto judged = judge_list({{99.5F}, {98}, {60}}, calibration_of(99), {});
  EXPECT_EQ(judged[0].verdict, Verdict::outside);
  EXPECT_EQ(judged[1].verdict, Verdict::borderline);
  EXPECT_EQ(judged[2].verdict, Verdict::inside);
  EXPECT_EQ(judge_list({{98}}, calibration_of(99), {.outside = 0.02, .borderline = 0.05})[0].verdict,
            Verdict::outside);
}

/// There are 200 random lists. No verdict depends on the other candidates or on the order. Only the q-value
/// depends on them.
TEST(JudgeList, NoVerdictDependsOnTheList) {
  std::mt19937 random(11);
  const Calibration calibration = calibration_of(150);
  std::uniform_real_distribution<float> draw(0, 200);
  std::uniform_int_distribution<std::size_t> length(1, 300);
  for (int list = 0; list < 200; ++list) {
    std::vector<ListedScore> scores(length(random));
    for (ListedScore& score : scores) {
      score.distance = draw(random);
    }
    const auto together = judge_list(scores, calibration, {});
    for (const std::size_t i : {std::size_t{0}, scores.size() / 2, scores.size() - 1}) {
      const Judgement alone = judge_list({scores[i]}, calibration, {})[0];
      EXPECT_EQ(together[i].verdict, alone.verdict);
      EXPECT_EQ(together[i].p_value, alone.p_value);
      EXPECT_EQ(alone.q_value, alone.p_value);
      EXPECT_GE(together[i].q_value * (1 + 1e-12), together[i].p_value);
    }
  }
}

/// A property alone decides the verdict at a tenth of the level.
TEST(JudgeList, AnUnusualPropertyIsACriterionOfItsOwn) {
  Calibration calibration = calibration_of(1999);
  for (int i = 1; i <= 1999; ++i) {
    calibration.range.push_back(static_cast<float>(i));
  }
  const auto judged =
      judge_list({{1, 1000}, {1, 1992}, {1, 5000}, {1990, 1}, {-INFINITY, -INFINITY}}, calibration, {});
  EXPECT_EQ(judged[0].verdict, Verdict::inside);
  EXPECT_EQ(judged[1].verdict, Verdict::borderline);
  EXPECT_TRUE(judged[1].is_by_range);
  EXPECT_FALSE(judged[1].is_by_distance);
  EXPECT_EQ(judged[2].verdict, Verdict::outside);
  EXPECT_EQ(judged[3].verdict, Verdict::outside);
  EXPECT_TRUE(judged[3].is_by_distance);
  EXPECT_FALSE(judged[3].is_by_range);
  EXPECT_EQ(judged[4].verdict, Verdict::inside);
  EXPECT_EQ(judged[4].p_range, 1);
}

TEST(JudgeList, UnreadableCandidatesCountForNothing) {
  const auto judged = judge_list({{NAN, NAN}, {30}, {-INFINITY, -INFINITY}}, calibration_of(19),
                                 {.outside = 0.1, .borderline = 0.1});
  EXPECT_EQ(judged[0].verdict, Verdict::unreadable);
  EXPECT_TRUE(std::isnan(judged[0].p_value));
  EXPECT_EQ(judged[1].verdict, Verdict::outside);
  EXPECT_DOUBLE_EQ(judged[1].q_value, 0.1);
  EXPECT_EQ(judged[2].verdict, Verdict::inside);
  EXPECT_EQ(judged[2].p_value, 1);
}

}  // namespace
}  // namespace molgauge::domain
