// Tests the calibration of predictions: intervals, sets, reasons and checks.

#include "molecules/judging/predictions/prediction_calibration.h"

#include <cmath>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "made_up_molecules.h"
#include "molecules/judging/judge.h"
#include "molecules/judging/predictions/calibration_file.h"
#include "molecules/judging/predictions/calibration_places.h"
#include "molecules/judging/predictions/in_sample.h"
#include "support/fixtures.h"

namespace molgauge::domain {
namespace {

using testing::HasSubstr;
using Settings = PredictionCalibration::Settings;

/// Molecules whose prediction errors grow with the distance and with the uncertainty.
std::vector<CalibrationMolecule> synthetic_molecules(std::size_t count, std::uint32_t seed,
                                                     std::size_t scaffolds = 40) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(0, 4);
  std::normal_distribution<double> normal;
  std::vector<CalibrationMolecule> molecules(count);
  for (std::size_t i = 0; i < count; ++i) {
    CalibrationMolecule& own = molecules[i];
    own.smiles = "C" + std::to_string(i);
    own.scaffold = "scaffold " + std::to_string(i % scaffolds);
    own.place.distance = uniform(random);
    own.place.new_scaffold = true;
    own.predicted.value = normal(random);
    own.predicted.uncertainty = uniform(random);
    const double spread = 0.1 + 0.5 * own.place.distance + 0.2 * own.predicted.uncertainty;
    own.measured = own.predicted.value + spread * normal(random);
    own.predicted.lower = own.predicted.value - spread;
    own.predicted.upper = own.predicted.value + spread;
  }
  return molecules;
}

std::vector<CalibrationMolecule> synthetic_classes(std::size_t count, std::uint32_t seed) {
  auto molecules = synthetic_molecules(count, seed);
  std::mt19937 random(seed + 1);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (CalibrationMolecule& own : molecules) {
    own.predicted = {.value = uniform(random)};
    own.measured = uniform(random) < own.predicted.value ? 1 : 0;
  }
  return molecules;
}

double covered(const PredictionCalibration& calibration, const std::vector<CalibrationMolecule>& molecules,
               double& width) {
  double count = 0;
  width = 0;
  for (const CalibrationMolecule& own : molecules) {
    const PredictionInterval interval = calibration.judge(own.predicted, own.place).interval;
    count += interval.lower <= own.measured && own.measured <= interval.upper ? 1 : 0;
    width += (interval.upper - interval.lower) / static_cast<double>(molecules.size());
  }
  return count / static_cast<double>(molecules.size());
}

TEST(PredictionCalibrationTest, EveryMethodCoversAndNormalisedOnesAreNarrower) {
  const auto calibration = synthetic_molecules(1500, 1), others = synthetic_molecules(6000, 2);
  double constant_width = 0;
  covered({calibration, {.method = IntervalMethod::constant}}, others, constant_width);
  for (const IntervalMethod method :
       {IntervalMethod::constant, IntervalMethod::distance, IntervalMethod::uncertainty, IntervalMethod::both,
        IntervalMethod::mondrian, IntervalMethod::quantiles, IntervalMethod::automatic}) {
    for (const double coverage : {0.8, 0.9}) {
      const PredictionCalibration calibrated(calibration, {.coverage = coverage, .method = method});
      double width = 0;
      EXPECT_NEAR(covered(calibrated, others, width), coverage, 0.03) << to_string(method);
      if (coverage == 0.9 && (method == IntervalMethod::distance || method == IntervalMethod::both)) {
        EXPECT_LT(width, 0.95 * constant_width) << to_string(method);
      }
    }
  }
}

TEST(PredictionCalibrationTest, TheMethodIsChosenByTheWinklerScore) {
  auto molecules = synthetic_molecules(800, 3);
  for (auto& own : molecules) {
    own.predicted.lower = own.predicted.upper = kNoNumber;
  }
  EXPECT_EQ(PredictionCalibration(molecules, {}).method(), IntervalMethod::both);
  for (auto& own : molecules) {
    own.predicted.uncertainty = kNoNumber;
  }
  EXPECT_EQ(PredictionCalibration(molecules, {}).method(), IntervalMethod::distance);
}

TEST(PredictionCalibrationTest, ReportsTheCoverageOfScaffoldsThatWereLeftOut) {
  const PredictionCalibration calibrated(synthetic_molecules(1000, 4), {.method = IntervalMethod::distance});
  const CalibrationReport& report = calibrated.report();
  ASSERT_TRUE(report.is_validated());
  EXPECT_EQ(report.scaffolds, 40U);
  EXPECT_EQ(report.coverage.molecules, 1000U);
  EXPECT_NEAR(report.coverage.share, 0.9, 0.03);
  EXPECT_LT(report.coverage.low, report.coverage.share);
  EXPECT_GT(report.coverage.high, report.coverage.share);
  EXPECT_LT(report.winkler, report.constant_winkler);
  ASSERT_EQ(report.by_distance.size(), 5U);
  EXPECT_GT(report.by_distance.back().error, 2 * report.by_distance.front().error);
  EXPECT_GT(report.by_distance.back().width, 2 * report.by_distance.front().width);
}

TEST(PredictionCalibrationTest, ExpectedErrorFollowsTheDistance) {
  const PredictionCalibration calibrated(synthetic_molecules(2000, 5), {.method = IntervalMethod::both});
  // The mean of |N(0, 1)| is sqrt(2 / pi).
  for (const double distance : {0.5, 2.0, 3.5}) {
    const double expected = std::sqrt(2 / M_PI) * (0.1 + 0.5 * distance + 0.2 * 2);
    EXPECT_NEAR(calibrated.judge({.value = 1, .uncertainty = 2}, {.distance = distance}).expected_error,
                expected, 0.12 * expected);
  }
}

TEST(PredictionCalibrationTest, NineMoleculesSufficeForNinetyPerCentAndEightDoNot) {
  auto molecules = synthetic_molecules(9, 6);
  for (auto& own : molecules) {
    own.predicted.lower = own.predicted.upper = kNoNumber;
  }
  const PredictionCalibration nine(molecules, {});
  EXPECT_EQ(nine.method(), IntervalMethod::constant);
  EXPECT_FALSE(nine.report().is_validated());
  EXPECT_THAT(nine.report().why_not_validated, HasSubstr("50 calibration molecules"));
  double most = 0;
  for (const auto& own : molecules) {
    most = std::max(most, std::abs(own.measured - own.predicted.value));
  }
  const PredictionOutcome found = nine.judge({.value = 2}, {.new_scaffold = true});
  EXPECT_DOUBLE_EQ(found.interval.upper, 2 + most);
  EXPECT_TRUE(found.meets_conditions);

  molecules.pop_back();
  const PredictionOutcome none = PredictionCalibration(molecules, {}).judge({.value = 2}, {});
  EXPECT_TRUE(std::isnan(none.interval.lower));
  EXPECT_FALSE(none.meets_conditions);
  EXPECT_EQ(none.reason, "9 calibration molecules are needed, and there are 8");
}

TEST(PredictionCalibrationTest, SaysWhichConditionIsNotMet) {
  auto molecules = synthetic_molecules(200, 7);
  for (std::size_t i = 30; i < molecules.size(); ++i) {
    molecules[i].place.new_scaffold = false;
  }
  const PredictionCalibration calibrated(molecules, {.method = IntervalMethod::both});
  const UserPrediction prediction{.value = 1, .uncertainty = 1};
  EXPECT_TRUE(calibrated.judge(prediction, {.distance = 1}).meets_conditions);
  const auto reason = [&](const UserPrediction& own, const PredictionPlace& place) {
    const PredictionOutcome outcome = calibrated.judge(own, place);
    EXPECT_FALSE(outcome.meets_conditions);
    return outcome.reason;
  };
  const auto outside = static_cast<std::size_t>(Verdict::outside);
  EXPECT_EQ(reason(prediction, {.distance = 1, .verdict = outside}), "outside the applicability domain");
  EXPECT_FALSE(std::isnan(calibrated.judge(prediction, {.distance = 1, .verdict = outside}).interval.lower));
  EXPECT_EQ(reason(prediction, {.distance = 1, .new_scaffold = true}),
            "new scaffold, and only 30 calibration molecules have a new scaffold");
  EXPECT_EQ(reason({}, {}), "no prediction");
  EXPECT_EQ(reason({.value = 1}, {}), "no uncertainty");
}

TEST(PredictionCalibrationTest, NewScaffoldsAreCalibratedOnNewScaffolds) {
  auto molecules = synthetic_molecules(400, 8);
  for (std::size_t i = 0; i < 300; ++i) {
    molecules[i].place.new_scaffold = false;
    molecules[i].measured = molecules[i].predicted.value + 0.001 * static_cast<double>(i);
  }
  for (std::size_t i = 300; i < 400; ++i) {
    molecules[i].measured = molecules[i].predicted.value + 0.1 * static_cast<double>(i - 300);
  }
  const PredictionCalibration calibrated(molecules, {.method = IntervalMethod::constant});
  // The new scaffolds have 100 errors. 101 * 0.1 = 10.1, so the tenth largest error is used. It is 9.0.
  EXPECT_NEAR(calibrated.judge({.value = 0}, {.new_scaffold = true}).interval.upper, 9.0, 1e-9);
  // All molecules have 400 errors. 401 * 0.1 = 40.1, so the 40th largest error is used. It is 6.0.
  EXPECT_NEAR(calibrated.judge({.value = 0}, {.new_scaffold = false}).interval.upper, 6.0, 1e-9);
}

TEST(PredictionCalibrationTest, QuantilesMayBecomeNarrowerButNeverCross) {
  auto molecules = synthetic_molecules(100, 9);
  for (auto& own : molecules) {
    own.predicted.lower = own.measured - 5;
    own.predicted.upper = own.measured + 5;
  }
  const PredictionCalibration calibrated(molecules, {.method = IntervalMethod::quantiles});
  const PredictionInterval wide = calibrated.judge({.value = 0, .lower = -7, .upper = 7}, {}).interval;
  EXPECT_NEAR(wide.lower, -2, 1e-9);
  EXPECT_NEAR(wide.upper, 2, 1e-9);
  const PredictionInterval narrow = calibrated.judge({.value = 0, .lower = -1, .upper = 3}, {}).interval;
  EXPECT_DOUBLE_EQ(narrow.lower, 1);
  EXPECT_DOUBLE_EQ(narrow.upper, 1);
}

TEST(PredictionCalibrationTest, EachClassIsCoveredAndProbabilitiesAreCalibrated) {
  const PredictionCalibration calibrated(synthetic_classes(1500, 10), {});
  ASSERT_TRUE(calibrated.is_classification());
  std::array<double, 2> covered{}, count{};
  for (const CalibrationMolecule& own : synthetic_classes(6000, 11)) {
    const PredictionOutcome outcome = calibrated.judge(own.predicted, own.place);
    ASSERT_TRUE(outcome.set && outcome.probability);
    const auto label = static_cast<std::size_t>(own.measured);
    covered[label] += outcome.set->contains[label] ? 1 : 0;
    ++count[label];
    EXPECT_LE(outcome.probability->lower, outcome.probability->upper);
    EXPECT_NEAR(outcome.probability->merged(), own.predicted.value, 0.2);
  }
  EXPECT_NEAR(covered[0] / count[0], 0.9, 0.03);
  EXPECT_NEAR(covered[1] / count[1], 0.9, 0.03);
  EXPECT_NEAR(calibrated.report().by_class[0].share, 0.9, 0.04);
  ASSERT_EQ(calibrated.report().calibrated.size(), 10U);
  for (const ReliabilityBin& bin : calibrated.report().calibrated) {
    EXPECT_NEAR(bin.predicted, bin.observed.share, 0.15);
  }
  EXPECT_EQ(calibrated.judge({.value = 0.999}, {}).set_text(), "1");
  EXPECT_EQ(calibrated.judge({.value = 0.5}, {}).set_text(), "0 1");
}

TEST(PredictionCalibrationTest, AClassWithTooFewMoleculesGivesNoSet) {
  auto molecules = synthetic_classes(100, 12);
  std::size_t positives = 0;
  for (auto& own : molecules) {
    own.measured = own.measured == 1 && positives++ < 4 ? 1 : 0;
  }
  const PredictionOutcome outcome = PredictionCalibration(molecules, {}).judge({.value = 0.5}, {});
  EXPECT_EQ(outcome.set_text(), "");
  EXPECT_EQ(outcome.reason, "9 calibration molecules of class 1 are needed, and there are 4");
  EXPECT_TRUE(outcome.probability);
}

TEST(PredictionCalibrationTest, RefusesValuesThatCannotBeCalibrated) {
  const auto message = [](const std::vector<CalibrationMolecule>& molecules, IntervalMethod method) {
    try {
      PredictionCalibration(molecules, {.method = method, .file = "cal.csv"});
    } catch (const Error& problem) {
      return std::string(problem.what());
    }
    return std::string();
  };
  auto equal = synthetic_molecules(50, 13);
  for (auto& own : equal) {
    own.measured = 3;
  }
  EXPECT_THAT(message(equal, IntervalMethod::automatic), HasSubstr("cal.csv: all 50 measured values"));
  auto logits = synthetic_classes(50, 14);
  logits[7].predicted.value = 2.5;
  EXPECT_THAT(message(logits, IntervalMethod::automatic), HasSubstr("probability of class 1"));
  EXPECT_THAT(message(synthetic_classes(50, 15), IntervalMethod::distance), HasSubstr("has no effect"));
  EXPECT_THAT(message(synthetic_molecules(20, 16), IntervalMethod::distance),
              HasSubstr("needs at least 30 calibration molecules"));
  EXPECT_THAT(message({}, IntervalMethod::automatic), HasSubstr("no molecule has both"));
}

TEST(PredictionCalibrationTest, PerfectPredictionsGiveIntervalsOfNoWidth) {
  auto molecules = synthetic_molecules(100, 17);
  for (auto& own : molecules) {
    own.measured = own.predicted.value;
  }
  const PredictionInterval interval =
      PredictionCalibration(molecules, {.method = IntervalMethod::distance}).judge({.value = 4}, {}).interval;
  EXPECT_DOUBLE_EQ(interval.lower, 4);
  EXPECT_DOUBLE_EQ(interval.upper, 4);
}

TEST(Difficulty, RecoversALineAndNeverUsesNegativeSlopes) {
  DifficultyTerms terms(2);
  std::vector<double> errors;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(0, 1000);
  for (int i = 0; i < 200; ++i) {
    const std::vector<double> own = {uniform(random), uniform(random) / 1000};
    terms.append(own);
    errors.push_back(50 + 0.5 * own[0]);
  }
  const Difficulty fitted = fit_difficulty(terms, errors);
  EXPECT_NEAR(fitted.constant, 50, 1e-6);
  EXPECT_NEAR(fitted.gradients[0], 0.5, 1e-9);
  EXPECT_NEAR(fitted.gradients[1], 0, 1e-6);
  for (double& error : errors) {
    error = 600 - error;
  }
  const Difficulty falling = fit_difficulty(terms, errors);
  EXPECT_EQ(falling.gradients[0], 0);
  EXPECT_GT(falling.constant, 0);
}

/// Wilson's interval of 8 of 10 is 0.490 to 0.943 (Newcombe 1998).
TEST(Coverage, IntervalsAreWilsonsAndWiderForClusters) {
  std::vector<bool> holds(10, true);
  holds[0] = holds[1] = false;
  std::vector<std::string> own, one_scaffold;
  for (int i = 0; i < 10; ++i) {
    own.push_back(std::to_string(i));
    one_scaffold.push_back(i < 2 ? "a" : i < 6 ? "b" : "c");
  }
  const Share alone = share_with_interval(holds, own), clustered = share_with_interval(holds, one_scaffold);
  EXPECT_DOUBLE_EQ(alone.share, 0.8);
  EXPECT_NEAR(alone.low, 0.490, 0.02);
  EXPECT_NEAR(alone.high, 0.943, 0.02);
  EXPECT_LT(clustered.low, alone.low);
  EXPECT_DOUBLE_EQ(winkler_score(1, 3, 2, 0.9), 2);
  EXPECT_NEAR(winkler_score(1, 3, 3.5, 0.9), 2 + 20 * 0.5, 1e-9);
}

TEST(InSample, ErrorsThatAreMuchSmallerAreFound) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::vector<double> small, large, other;
  for (int i = 0; i < 60; ++i) {
    small.push_back(std::abs(0.3 * normal(random)));
    large.push_back(std::abs(normal(random)));
    other.push_back(std::abs(normal(random)));
  }
  EXPECT_TRUE(are_much_smaller(small, large));
  EXPECT_FALSE(are_much_smaller(other, large));
  EXPECT_FALSE(are_much_smaller(large, small));
  EXPECT_FALSE(are_much_smaller(std::span(small).first(9), large));
}

TEST(InSample, PredictionsThatKnowTheMeasuredValueAreFound) {
  std::mt19937 random(2);
  const Molecules molecules = made_up_molecules(200, random);
  std::normal_distribution<double> normal;
  std::vector<double> measured, fitted, honest;
  for (std::size_t i = 0; i < 200; ++i) {
    const double of_kind = static_cast<double>(i % 20) / 10;
    measured.push_back(of_kind + normal(random));
    fitted.push_back(measured.back() + 0.2 * normal(random));
    honest.push_back(of_kind + 0.2 * normal(random));
  }
  EXPECT_TRUE(compare_with_neighbours(molecules.environments, measured, fitted, false).are_in_sample);
  const MissComparison found = compare_with_neighbours(molecules.environments, measured, honest, false);
  EXPECT_FALSE(found.are_in_sample);
  EXPECT_EQ(found.molecules, 200U);
  EXPECT_GT(found.nearest, 0);
}

TEST(CalibrationPlaces, TrainingMoleculesAreComparedWithoutTheirScaffold) {
  std::mt19937 random(3);
  SavedDomain saved;
  saved.settings = {.method = DomainMethod::combined, .level = 0.05, .threads = 1};
  saved.notes.scaffolds = made_up_scaffolds(200);
  const Molecules training = made_up_molecules(200, random);
  for (int i = 0; i < 200; ++i) {
    saved.notes.canonical_smiles.push_back("C" + std::to_string(i));
    saved.notes.keys.emplace_back();
    saved.notes.known.scaffolds.insert(saved.notes.scaffolds[static_cast<std::size_t>(i)]);
  }
  saved.domain = std::make_shared<const CalibratedDomain>(training, saved.notes.scaffolds,
                                                          std::vector<Hash128>(), saved.settings);
  const auto placed =
      place_calibration(saved, training, saved.notes.canonical_smiles, saved.notes.scaffolds, {}, 1);
  const auto as_candidates = saved.domain->score(training);
  std::size_t farther = 0;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    EXPECT_TRUE(placed[i].in_training);
    EXPECT_TRUE(placed[i].place.new_scaffold);
    farther += placed[i].place.distance > as_candidates[i].score ? 1 : 0;
  }
  EXPECT_GT(farther, 150U);

  const Molecules others = made_up_molecules(20, random);
  std::vector<std::string> names(20, "N"), scaffolds(20, "kind 3");
  scaffolds[0] = "unknown";
  const auto other = place_calibration(saved, others, names, scaffolds, {}, 1);
  const auto scored = saved.domain->score(others);
  for (std::size_t i = 0; i < other.size(); ++i) {
    EXPECT_FALSE(other[i].in_training);
    EXPECT_EQ(other[i].place.new_scaffold, i == 0);
    EXPECT_EQ(other[i].place.distance, scored[i].score);
  }
}

TEST(CalibrationPlaces, ATrainingSetOfOneScaffoldHasPlaces) {
  std::mt19937 random(4);
  SavedDomain saved;
  saved.settings = {.method = DomainMethod::combined, .level = 0.05, .threads = 1};
  saved.notes.scaffolds.assign(100, "");
  const Molecules training = made_up_molecules(100, random);
  for (int i = 0; i < 100; ++i) {
    saved.notes.canonical_smiles.push_back("C" + std::to_string(i));
    saved.notes.keys.emplace_back();
  }
  saved.domain = std::make_shared<const CalibratedDomain>(training, saved.notes.scaffolds,
                                                          std::vector<Hash128>(), saved.settings);
  const auto placed =
      place_calibration(saved, training, saved.notes.canonical_smiles, saved.notes.scaffolds, {}, 1);
  for (const PlacedMolecule& own : placed) {
    EXPECT_TRUE(std::isfinite(own.place.distance));
  }
}

TEST(PredictionCalibrationTest, MoleculesOfOneScaffoldAreCrossValidated) {
  auto molecules = synthetic_molecules(200, 19, 1);
  const PredictionCalibration calibrated(molecules, {.method = IntervalMethod::distance});
  EXPECT_TRUE(calibrated.report().is_validated());
  EXPECT_EQ(calibrated.report().scaffolds, 1U);
  EXPECT_NEAR(calibrated.report().coverage.share, 0.9, 0.06);
}

TEST(CalibrationFile, IsReadAsItWasWritten) {
  const test::TemporaryFolder folder;
  auto molecules = synthetic_molecules(60, 18);
  molecules[3].predicted.uncertainty = kNoNumber;
  molecules[4].in_training = true;
  molecules[5].place.verdict = 2;
  write_calibration(molecules, folder / "predictions.csv");
  const auto again = read_calibration(folder / "predictions.csv");
  ASSERT_EQ(again.size(), molecules.size());
  for (std::size_t i = 0; i < again.size(); ++i) {
    EXPECT_EQ(again[i].smiles, molecules[i].smiles);
    EXPECT_EQ(again[i].measured, molecules[i].measured);
    EXPECT_EQ(again[i].place.distance, molecules[i].place.distance);
    EXPECT_EQ(again[i].predicted.value, molecules[i].predicted.value);
  }
  EXPECT_TRUE(std::isnan(again[3].predicted.uncertainty));
  EXPECT_TRUE(again[4].in_training);
  EXPECT_EQ(again[5].place.verdict, 2U);

  std::string text = read_file(folder / "predictions.csv");
  text += "C,s,0,1,0,1.5,nan,1,,,,,1,0,,,,\n";
  replace_file(folder / "predictions.csv", text);
  try {
    read_calibration(folder / "predictions.csv");
    FAIL() << "was read";
  } catch (const InputError& problem) {
    EXPECT_THAT(problem.what(), HasSubstr("predictions.csv:62: 'nan' is not a number"));
  }
}

}  // namespace
}  // namespace molgauge::domain
