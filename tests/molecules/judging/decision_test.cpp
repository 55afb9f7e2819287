// Tests which predictions are used, checked and dropped.

#include "molecules/judging/predictions/decision.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace molgauge::domain {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Calibration molecules with normal measured values. `error`: standard deviation of the errors.
std::vector<CalibrationMolecule> molecules_with_error(double error) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  std::vector<CalibrationMolecule> molecules(400);
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    CalibrationMolecule& own = molecules[i];
    own.scaffold = std::to_string(i % 80);
    own.place = {.distance = std::abs(normal(random)), .new_scaffold = true, .verdict = 0};
    own.measured = normal(random);
    own.predicted.value = own.measured + error * normal(random);
  }
  return molecules;
}

PredictionOutcome outcome_of(double expected_error, double width) {
  PredictionOutcome outcome;
  outcome.interval = {.lower = 0, .upper = width, .expected_error = expected_error};
  outcome.expected_error = expected_error;
  outcome.meets_conditions = true;
  return outcome;
}

TEST(Decision, FollowsTheVerdictWithoutPredictions) {
  const DecisionRules rules;
  EXPECT_EQ(rules.decide(Verdict::inside, nullptr).decision, Decision::use);
  EXPECT_EQ(rules.decide(Verdict::borderline, nullptr).decision, Decision::check);
  EXPECT_EQ(rules.decide(Verdict::outside, nullptr).decision, Decision::drop);
  EXPECT_EQ(rules.decide(Verdict::unreadable, nullptr).decision, Decision::drop);
  EXPECT_THAT(rules.decide(Verdict::inside, nullptr).reasons, IsEmpty());
  EXPECT_EQ(rules.words(rules.decide(Verdict::outside, nullptr)), "outside the applicability domain");
}

/// The mean absolute deviation of a normal distribution is sqrt(2 / pi), and its central 90 % range has the
/// width 2 * 1.645.
TEST(Decision, LimitsComeFromTheMeasuredValues) {
  const DecisionRules rules(PredictionCalibration(molecules_with_error(0.3), {.coverage = 0.9}));
  EXPECT_NEAR(rules.constant_error(), std::sqrt(2 / 3.14159265), 0.08);
  EXPECT_DOUBLE_EQ(rules.largest_error(), rules.constant_error() / std::sqrt(2));
  EXPECT_NEAR(rules.largest_width(), 2 * 1.645, 0.4);
}

TEST(Decision, NamesEveryReasonToCheckANumber) {
  const DecisionRules rules(PredictionCalibration(molecules_with_error(0.3), {}));
  const double fine = 0.5 * rules.largest_error(), narrow = 0.5 * rules.largest_width();
  const auto decide = [&](Verdict verdict, const PredictionOutcome& outcome) {
    return rules.decide(verdict, &outcome);
  };
  EXPECT_EQ(decide(Verdict::inside, outcome_of(fine, narrow)).decision, Decision::use);
  const Advice all = decide(Verdict::borderline, outcome_of(3 * fine, 3 * narrow));
  EXPECT_EQ(all.decision, Decision::check);
  EXPECT_THAT(all.reasons, ElementsAre(DecisionReason::borderline, DecisionReason::large_error,
                                       DecisionReason::wide_interval));
  EXPECT_THAT(rules.words(all), HasSubstr("borderline; expected error above 0."));

  PredictionOutcome new_scaffold = outcome_of(fine, narrow);
  new_scaffold.meets_conditions = false;
  EXPECT_THAT(decide(Verdict::inside, new_scaffold).reasons, ElementsAre(DecisionReason::new_scaffold));
  EXPECT_EQ(decide(Verdict::inside, outcome_of(kNoNumber, narrow)).decision, Decision::check);
}

TEST(Decision, DropsPredictionsOutsideTheDomainAndWithoutAnInterval) {
  const DecisionRules rules(PredictionCalibration(molecules_with_error(0.3), {}));
  const PredictionOutcome fine = outcome_of(0.1, 1);
  EXPECT_THAT(rules.decide(Verdict::outside, &fine).reasons, ElementsAre(DecisionReason::outside));
  const PredictionOutcome none;
  const Advice advice = rules.decide(Verdict::inside, &none);
  EXPECT_EQ(advice.decision, Decision::drop);
  EXPECT_EQ(rules.words(advice), "no prediction interval");
}

/// A model that is not better than the mean of the measured values gives no prediction to use.
TEST(Decision, UsesNoPredictionOfAUselessModel) {
  for (const double error : {0.2, 1.0, 5.0}) {
    const auto molecules = molecules_with_error(error);
    const PredictionCalibration calibration(molecules, {});
    const DecisionRules rules(calibration);
    DecisionCounts counts;
    for (const CalibrationMolecule& own : molecules) {
      const PredictionOutcome outcome = calibration.judge(own.predicted, own.place);
      counts.add(rules.decide(Verdict::inside, &outcome), own.place.new_scaffold);
    }
    EXPECT_EQ(counts.of(Decision::use), error < 0.5 ? molecules.size() : 0) << error;
    EXPECT_EQ(counts.new_scaffolds_to_use, counts.of(Decision::use));
    EXPECT_EQ(counts.of(DecisionReason::large_error), counts.of(Decision::check)) << error;
  }
}

TEST(Decision, OfClassesFollowsTheSetAndTheProbability) {
  auto molecules = molecules_with_error(0);
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    molecules[i].measured = i % 2 == 0 ? 1 : 0;
    molecules[i].predicted.value = 0.5 + (i % 2 == 0 ? 0.3 : -0.3) * static_cast<double>(i % 7) / 6;
  }
  const DecisionRules rules(PredictionCalibration(molecules, {}));
  EXPECT_TRUE(rules.are_classes());
  const auto decide = [&](bool zero, bool one, double probability) {
    PredictionOutcome outcome;
    outcome.meets_conditions = true;
    outcome.set.emplace();
    outcome.set->contains = {zero, one};
    outcome.set->is_known = {true, true};
    outcome.probability = ProbabilityPair{probability, probability};
    outcome.expected_error = std::min(probability, 1 - probability);
    return rules.decide(Verdict::inside, &outcome);
  };
  EXPECT_EQ(decide(false, true, 0.8).decision, Decision::use);
  EXPECT_EQ(decide(true, false, 0.2).decision, Decision::use);
  EXPECT_THAT(decide(true, true, 0.5).reasons, ElementsAre(DecisionReason::undecided));
  EXPECT_THAT(decide(false, false, 0.5).reasons, ElementsAre(DecisionReason::undecided));
  // A rare class can be the only one in the set, although the other class is more probable.
  EXPECT_THAT(decide(false, true, 0.2).reasons, ElementsAre(DecisionReason::contradiction));
}

}  // namespace
}  // namespace molgauge::domain
