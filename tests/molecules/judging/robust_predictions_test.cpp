// Tests that wild values, repeated molecules and the order of molecules do not decide the intervals.

#include <algorithm>
#include <cmath>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "molecules/judging/predictions/difficulty.h"
#include "molecules/judging/predictions/non_negative_fit.h"
#include "molecules/judging/predictions/prediction_calibration.h"
#include "molecules/judging/predictions/repeated_molecules.h"
#include "molecules/judging/predictions/simple_model.h"
#include "molecules/judging/predictions/wrong_class_model.h"
#include "molecules/judging/ridge.h"

namespace molgauge::domain {
namespace {

using Molecule = CalibrationMolecule;

/// Molecules whose errors do not depend on the distance or the uncertainty.
std::vector<Molecule> alike(std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(0, 4);
  std::normal_distribution<double> normal;
  std::vector<Molecule> molecules(count);
  for (std::size_t i = 0; i < count; ++i) {
    Molecule& own = molecules[i];
    own.smiles = "C" + std::to_string(1000 + i);
    own.scaffold = "scaffold " + std::to_string(i % 60);
    own.place.distance = uniform(random);
    own.place.new_scaffold = true;
    own.measured = 2 * normal(random);
    own.predicted.value = own.measured + normal(random);
    own.predicted.uncertainty = uniform(random);
  }
  return molecules;
}

double largest_width(const PredictionCalibration& calibration, const std::vector<Molecule>& molecules) {
  double largest = 0;
  for (const Molecule& own : molecules) {
    const PredictionInterval interval = calibration.judge(own.predicted, own.place).interval;
    largest = std::max(largest, interval.upper - interval.lower);
  }
  return largest;
}

TEST(NonNegativeFit, EqualsTheBestOfAllSetsOfColumns) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  constexpr std::size_t kColumns = 6, kRows = 40;
  for (int round = 0; round < 50; ++round) {
    std::vector<double> rows(kRows * kColumns), values(kRows), products(kColumns * kColumns), right(kColumns);
    for (double& number : rows) {
      number = normal(random) + 0.5;
    }
    for (double& number : values) {
      number = normal(random);
    }
    for (std::size_t row = 0; row < kRows; ++row) {
      for (std::size_t i = 0; i < kColumns; ++i) {
        right[i] += rows[row * kColumns + i] * values[row];
        for (std::size_t j = 0; j < kColumns; ++j) {
          products[i * kColumns + j] += rows[row * kColumns + i] * rows[row * kColumns + j];
        }
      }
    }
    const std::vector<double> found = non_negative_least_squares(products, right);
    // The conditions of Karush, Kuhn and Tucker hold at the minimum, and only there.
    for (std::size_t i = 0; i < kColumns; ++i) {
      double slope = right[i];
      for (std::size_t j = 0; j < kColumns; ++j) {
        slope -= products[i * kColumns + j] * found[j];
      }
      EXPECT_GE(found[i], 0);
      if (found[i] > 0) {
        EXPECT_NEAR(slope, 0, 1e-7);
      } else {
        EXPECT_LE(slope, 1e-7);
      }
    }
  }
}

TEST(NonNegativeFit, FreeColumnsMayBeNegativeAndDependentColumnsAreLeftOut) {
  // y = -2 + 3 x, with the columns 1, x and 2 x.
  std::vector<double> products(9), right(3);
  for (const double x : {0.0, 1.0, 2.0, 5.0}) {
    const double row[3] = {1, x, 2 * x};
    for (std::size_t i = 0; i < 3; ++i) {
      right[i] += row[i] * (3 * x - 2);
      for (std::size_t j = 0; j < 3; ++j) {
        products[i * 3 + j] += row[i] * row[j];
      }
    }
  }
  const std::vector<double> found = non_negative_least_squares(products, right, 1);
  EXPECT_NEAR(found[0], -2, 1e-9);
  EXPECT_NEAR(found[1] + 2 * found[2], 3, 1e-9);
}

/// One error of 2,151 gave a mean width of 43.2 instead of 2.6.
TEST(RobustIntervals, OneWildErrorDoesNotDecideTheWidths) {
  auto molecules = alike(300, 1);
  const auto candidates = alike(500, 2);
  molecules[17].predicted.value = 2151;
  molecules[17].place.distance = 3.9;
  molecules[17].predicted.uncertainty = 900;
  molecules[17].line = 57;
  const double constant = largest_width({molecules, {.method = IntervalMethod::constant}}, candidates);
  for (const IntervalMethod method : {IntervalMethod::automatic, IntervalMethod::distance,
                                      IntervalMethod::uncertainty, IntervalMethod::both}) {
    const PredictionCalibration calibrated(molecules, {.method = method, .file = "cal.csv"});
    EXPECT_LT(largest_width(calibrated, candidates), 2 * constant) << to_string(method);
    const PredictionOutcome outcome = calibrated.judge({.value = 1, .uncertainty = 2}, {.distance = 2});
    EXPECT_NEAR(outcome.expected_error, std::sqrt(2 / M_PI), 0.2) << to_string(method);
    ASSERT_TRUE(calibrated.report().check.has(ModelFault::wild));
    EXPECT_THAT(calibrated.report().check.warnings.front().text,
                testing::HasSubstr("cal.csv:57: C1017 (predicted 2151"));
  }
}

TEST(RobustIntervals, ConstantWidthIsAmongTheChoicesOfAuto) {
  EXPECT_EQ(PredictionCalibration(alike(400, 5), {}).method(), IntervalMethod::constant);
}

TEST(RobustIntervals, ManyTermsAreFitted) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> uniform(0, 1);
  constexpr std::size_t kTerms = 6;
  DifficultyTerms terms(kTerms);
  std::vector<double> errors;
  for (int i = 0; i < 400; ++i) {
    std::vector<double> own(kTerms);
    for (double& number : own) {
      number = uniform(random);
    }
    errors.push_back(0.2 + own[1] + 2 * own[4]);
    terms.append(own);
  }
  const Difficulty fitted = fit_difficulty(terms, errors);
  EXPECT_NEAR(fitted.constant, 0.2, 1e-6);
  for (std::size_t i = 0; i < kTerms; ++i) {
    EXPECT_NEAR(fitted.gradients[i], i == 1 ? 1 : i == 4 ? 2 : 0, 1e-6);
  }
}

/// Copies of rows must not make the confidence intervals narrower. Without merging, clusters prevent this.
TEST(RobustIntervals, RepeatedRowsDoNotShrinkTheErrorBars) {
  auto once = alike(250, 6), copies = once;
  for (int copy = 1; copy < 4; ++copy) {
    copies.insert(copies.end(), once.begin(), once.end());
  }
  const auto bars = [](std::vector<Molecule> molecules, bool are_merged) {
    for (std::size_t i = 0; i < molecules.size() && !are_merged; ++i) {
      molecules[i].smiles += "." + std::to_string(i);
    }
    const PredictionCalibration calibrated(std::move(molecules), {.method = IntervalMethod::constant});
    return calibrated.report();
  };
  const CalibrationReport own = bars(once, true), merged = bars(copies, true), apart = bars(copies, false);
  EXPECT_EQ(merged.molecules, 250U);
  EXPECT_EQ(merged.merged, 750U);
  ASSERT_EQ(own.by_distance.size(), merged.by_distance.size());
  for (std::size_t i = 0; i < own.by_distance.size(); ++i) {
    EXPECT_DOUBLE_EQ(own.by_distance[i].error_low, merged.by_distance[i].error_low);
    const auto width = [](const CalibrationReport::Bin& bin) { return bin.error_high - bin.error_low; };
    EXPECT_GT(width(apart.by_distance[i]), 0.9 * width(own.by_distance[i]));
    const auto reach = [](const Share& share) { return share.high - share.low; };
    EXPECT_GT(reach(apart.by_distance[i].coverage), 0.8 * reach(own.by_distance[i].coverage));
  }
}

TEST(RobustIntervals, TheOrderOfTheMoleculesDoesNotMatter) {
  auto molecules = alike(200, 7);
  for (Molecule& own : molecules) {
    own.scaffold = own.smiles.back() < '5' ? "" : own.scaffold;  // half of the molecules are acyclic
  }
  const PredictionCalibration calibrated(molecules, {.method = IntervalMethod::both});
  std::shuffle(molecules.begin(), molecules.end(), std::mt19937(1));
  const PredictionCalibration again(molecules, {.method = IntervalMethod::both});
  const UserPrediction prediction{.value = 1, .uncertainty = 2};
  EXPECT_EQ(calibrated.judge(prediction, {.distance = 2}).interval.upper,
            again.judge(prediction, {.distance = 2}).interval.upper);
  EXPECT_EQ(calibrated.report().coverage.share, again.report().coverage.share);
}

TEST(RepeatedMolecules, AreMergedByTheirMeanOrTheirMajority) {
  const auto measured = [](const char* smiles, double value, double prediction) {
    Molecule own;
    own.smiles = smiles;
    own.measured = value;
    own.predicted.value = prediction;
    return own;
  };
  const MergedCalibration values =
      merge_repeated({measured("N", 1, 2), measured("C", 5, 5), measured("N", 4, 3)}, false);
  ASSERT_EQ(values.molecules.size(), 2U);
  EXPECT_EQ(values.molecules[1].measured, 2.5);
  EXPECT_EQ(values.molecules[1].predicted.value, 2.5);
  EXPECT_EQ(values.molecules[1].measurements, 2U);
  const MergedCalibration classes =
      merge_repeated({measured("N", 1, 0.5), measured("N", 1, 0.5), measured("N", 0, 0.5),
                      measured("C", 0, 0.1), measured("C", 1, 0.1)},
                     true);
  ASSERT_EQ(classes.molecules.size(), 1U);
  EXPECT_EQ(classes.molecules[0].measured, 1);
  EXPECT_EQ(classes.undecided, 1U);
}

/// Classes whose predictions are wrong more often at large distances and uncertainties.
std::vector<Molecule> classes_of(std::size_t count, std::uint32_t seed) {
  auto molecules = alike(count, seed);
  std::mt19937 random(seed + 1);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (Molecule& own : molecules) {
    own.predicted.value = uniform(random);
    const double wrong = 0.02 + 0.05 * own.place.distance + 0.05 * own.predicted.uncertainty;
    own.measured = (own.predicted.value >= 0.5) != (uniform(random) < wrong) ? 1 : 0;
  }
  return molecules;
}

TEST(WrongClass, TheExpectedErrorFollowsDistanceAndUncertainty) {
  const auto molecules = classes_of(2000, 11);
  const PredictionCalibration calibrated(molecules, {});
  auto plain = molecules;
  for (Molecule& own : plain) {
    own.predicted.uncertainty = kNoNumber;
    own.place.distance = 1;
  }
  const PredictionCalibration alone(plain, {});
  EXPECT_GT(calibrated.report().order_of_errors, alone.report().order_of_errors + 0.05);
  for (const double distance : {0.5, 3.5}) {
    const double expected = 0.02 + 0.05 * distance + 0.05 * 2;
    EXPECT_NEAR(calibrated.judge({.value = 0.8, .uncertainty = 2}, {.distance = distance}).expected_error,
                expected, 0.05);
  }
  // Sets and probabilities do not depend on distance and uncertainty.
  const auto near = calibrated.judge({.value = 0.8, .uncertainty = 0}, {.distance = 0}),
             far = calibrated.judge({.value = 0.8, .uncertainty = 4}, {.distance = 4});
  EXPECT_EQ(near.set_text(), far.set_text());
  EXPECT_EQ(near.probability->merged(), far.probability->merged());
}

TEST(WrongClass, AModelWithFewWrongClassesReturnsTheCalibratedProbability) {
  DifficultyTerms terms(1);
  std::vector<double> others;
  for (int i = 0; i < 60; ++i) {
    terms.append(std::vector<double>{static_cast<double>(i)});
    others.push_back(0.1);
  }
  std::vector<bool> wrong(60);
  std::fill_n(wrong.begin(), 9, true);
  const WrongClassModel model(others, terms, wrong);
  EXPECT_FALSE(model.is_fitted());
  EXPECT_EQ(model.probability(0.2, std::vector<double>{50.0}), 0.2);
}

/// The class that the model predicts is 1, but the calibrated probability of class 1 is small.
TEST(WrongClass, TheExpectedErrorIsAboutThePredictedClass) {
  auto molecules = classes_of(400, 12);
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    molecules[i].predicted.value = i % 2 == 0 ? 0.9 : 0.6;
    molecules[i].measured = i % 2 == 0 || i % 20 == 1 ? 1 : 0;
  }
  const PredictionOutcome outcome =
      PredictionCalibration(molecules, {}).judge({.value = 0.6, .uncertainty = 2}, {.distance = 2});
  EXPECT_LT(outcome.probability->merged(), 0.2);
  EXPECT_GT(outcome.expected_error, 0.8);
}

/// The dual problem has the same solution as the problem with a matrix of features.
TEST(Ridge, FewRowsGiveTheSolutionOfTheNormalEquations) {
  std::mt19937 random(8);
  std::normal_distribution<float> normal;
  constexpr std::size_t kWidth = 3;
  const std::vector<float> rows = {1, 2, 3, 4, 5, 7};  // two rows, so the dual problem is solved
  const std::vector<double> values = {1, 3};
  RidgeRegression dual(rows, values, kWidth, 1);
  dual.fit(0.5);
  // Standardised features are -1 and 1 in all columns, so Z'Z/n is a matrix of ones and Z'y/n is 1 in each
  // column. Each coefficient is 1 / (3 + 0.5).
  EXPECT_NEAR(dual.predict(std::vector<float>{4, 5, 7}), 2 + 3 / 3.5, 1e-9);
  std::vector<float> many;
  std::vector<double> numbers;
  for (int i = 0; i < 40; ++i) {
    for (std::size_t j = 0; j < kWidth; ++j) {
      many.push_back(normal(random));
    }
    numbers.push_back(many[many.size() - 2] + 0.1 * static_cast<double>(normal(random)));
  }
  RidgeRegression primal(many, numbers, kWidth, 2);
  primal.fit(0.001);
  EXPECT_NEAR(primal.predict(std::vector<float>{0, 1, 0}) - primal.predict(std::vector<float>{0, 0, 0}), 1,
              0.1);
}

TEST(SimpleModel, PredictsMoleculesWithoutTheirScaffold) {
  constexpr std::size_t kWidth = 4, kCount = 120;
  std::mt19937 random(9);
  std::normal_distribution<float> normal;
  Molecules molecules;
  molecules.width = kWidth;
  std::vector<std::string> smiles, scaffolds;
  std::vector<double> values;
  for (std::size_t i = 0; i < kCount; ++i) {
    for (std::size_t j = 0; j < kWidth; ++j) {
      molecules.features.push_back(normal(random));
    }
    smiles.push_back("C" + std::to_string(i));
    scaffolds.push_back("scaffold " + std::to_string(i % 30));
    values.push_back(2 * molecules.features[i * kWidth] + 0.1 * normal(random));
  }
  const Molecules none;
  const std::vector<std::string> no_texts;
  const SimplePredictions by_calibration = predict_simply({.training = none,
                                                           .training_scaffolds = no_texts,
                                                           .training_values = {},
                                                           .calibration = molecules,
                                                           .smiles = smiles,
                                                           .scaffolds = scaffolds,
                                                           .measured = values});
  const SimplePredictions by_training = predict_simply({.training = molecules,
                                                        .training_scaffolds = scaffolds,
                                                        .training_values = values,
                                                        .calibration = molecules,
                                                        .smiles = smiles,
                                                        .scaffolds = scaffolds,
                                                        .measured = values});
  for (const SimplePredictions* const found : {&by_calibration, &by_training}) {
    ASSERT_EQ(found->of_calibration.size(), kCount);
    double error = 0;
    for (std::size_t i = 0; i < kCount; ++i) {
      error += std::abs(found->of_calibration[i] - values[i]) / kCount;
    }
    EXPECT_LT(error, 0.2);
    EXPECT_GT(error, 0.05);
  }
  EXPECT_THAT(by_calibration.model, testing::HasSubstr("in cross-validation"));
  EXPECT_THAT(by_training.model, testing::HasSubstr("training molecules"));
}

}  // namespace
}  // namespace molgauge::domain
