// Tests the second opinion: its predictors, its independence of order and threads, and its terms in the
// difficulty.

#include "molecules/judging/predictions/second_opinion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "made_up_molecules.h"
#include "molecules/judging/predictions/doubt.h"
#include "molecules/judging/predictions/interval_calibration.h"
#include "molecules/judging/predictions/prediction_calibration.h"

namespace molgauge::domain {
namespace {

using testing::HasSubstr;

constexpr std::size_t kTrainingMolecules = 300, kTestThreads = 2;

/// Training molecules whose values depend on the first feature.
struct MadeUpTraining {
  Molecules molecules;
  std::vector<std::string> smiles, scaffolds = made_up_scaffolds(kTrainingMolecules);
  std::vector<double> values;

  explicit MadeUpTraining(std::uint32_t seed = 1) {
    std::mt19937 random(seed);
    molecules = made_up_molecules(kTrainingMolecules, random);
    std::normal_distribution<double> noise(0, 0.1);
    for (std::size_t i = 0; i < kTrainingMolecules; ++i) {
      smiles.push_back("C" + std::to_string(i));
      values.push_back(molecules.row(i)[0] + noise(random));
    }
  }
  SecondOpinion::Training view(bool uses_features = true) const {
    return {molecules, smiles, scaffolds, values, uses_features};
  }
};

std::vector<std::string> new_names(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) {
    names.push_back("N" + std::to_string(i));
  }
  return names;
}

/// The four numbers of an opinion.
std::array<double, 4> numbers_in(const Opinion& own) {
  return {own.by_features, own.by_environments, own.neighbours_error, own.neighbours_spread};
}

TEST(EnvironmentKernel, EqualsTheTanimotoSimilarity) {
  std::mt19937 random(2);
  const Molecules training = made_up_molecules(40, random), others = made_up_molecules(10, random);
  const EnvironmentKernel kernel(training.environments);
  for (std::size_t i = 0; i < others.size(); ++i) {
    const std::vector<float> found = kernel.similarities(others.environments.of(i));
    for (std::size_t j = 0; j < training.size(); ++j) {
      EXPECT_NEAR(found[j], tanimoto(others.environments.of(i), training.environments.of(j)), 1e-6);
    }
  }
}

TEST(KernelRidge, SolvesTheEquationsOfEachFold) {
  std::mt19937 random(3);
  const MadeUpTraining made(3);
  constexpr std::size_t kSize = 60;
  const EnvironmentKernel kernel(made.molecules.environments);
  std::vector<float> matrix;
  std::vector<double> values(made.values.begin(), made.values.begin() + kSize);
  std::vector<std::size_t> folds;
  for (std::size_t i = 0; i < kSize; ++i) {
    const std::vector<float> row = kernel.similarities(made.molecules.environments.of(i));
    matrix.insert(matrix.end(), row.begin(), row.begin() + kSize);
    folds.push_back(i % 5);
  }
  const KernelRidge ridge(matrix, values, folds, kTestThreads);
  for (std::size_t fit = 0; fit < KernelRidge::kFits; ++fit) {
    for (std::size_t i = 0; i < kSize; ++i) {
      double sum = ridge.mean(fit);
      for (std::size_t j = 0; j < kSize; ++j) {
        sum += static_cast<double>(matrix[i * kSize + j]) * ridge.coefficient(j, fit);
      }
      if (folds[i] == fit) {
        EXPECT_EQ(ridge.coefficient(i, fit), 0);
        EXPECT_NEAR(ridge.out_of_fold(i), sum, 1e-9);
      } else {
        EXPECT_NEAR(sum + KernelRidge::kPenalty * ridge.coefficient(i, fit), values[i], 1e-4);
      }
    }
  }
}

TEST(SecondOpinion, PredictsNewMolecules) {
  const MadeUpTraining made;
  const auto opinion = SecondOpinion::fit(made.view(), kTestThreads);
  ASSERT_NE(opinion, nullptr);
  std::mt19937 random(7);
  const Molecules others = made_up_molecules(50, random);
  const std::vector<Opinion> found = opinion->of(others, new_names(50), kTestThreads);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i].by_features, others.row(i)[0], 0.3);
    EXPECT_TRUE(std::isfinite(found[i].by_environments));
    EXPECT_GE(found[i].neighbours_error, 0);
    EXPECT_GE(found[i].neighbours_spread, 0);
  }
}

TEST(SecondOpinion, DoesNotDependOnTheOrderOfTheTrainingSetOrOnThreads) {
  const MadeUpTraining made;
  std::vector<std::size_t> order(kTrainingMolecules);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937 random(5);
  std::shuffle(order.begin(), order.end(), random);
  MadeUpTraining shuffled;
  shuffled.molecules = Molecules{made.molecules.width, {}, {}, {}};
  for (std::size_t i = 0; i < kTrainingMolecules; ++i) {
    shuffled.molecules.append(made.molecules, order[i]);
    shuffled.smiles[i] = made.smiles[order[i]];
    shuffled.scaffolds[i] = made.scaffolds[order[i]];
    shuffled.values[i] = made.values[order[i]];
  }
  const Molecules others = made_up_molecules(20, random);
  const auto one = SecondOpinion::fit(made.view(), 1)->of(others, new_names(20), 1),
             other = SecondOpinion::fit(shuffled.view(), 3)->of(others, new_names(20), 3);
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(numbers_in(one[i]), numbers_in(other[i]));
  }
}

TEST(SecondOpinion, IsTheSameForOneMoleculeAlone) {
  const MadeUpTraining made;
  const auto opinion = SecondOpinion::fit(made.view(), kTestThreads);
  std::mt19937 random(8);
  const Molecules others = made_up_molecules(20, random);
  Molecules last{others.width, {}, {}, {}};
  last.append(others, 19);
  EXPECT_EQ(numbers_in(opinion->of(others, new_names(20), kTestThreads)[19]),
            numbers_in(opinion->of(last, {"N19"}, 1)[0]));
}

TEST(SecondOpinion, LeavesTheFoldOfATrainingMoleculeOut) {
  MadeUpTraining made;
  made.values[10] = 1000;  // its own value must not determine its prediction
  const auto opinion = SecondOpinion::fit(made.view(), kTestThreads);
  Molecules one{made.molecules.width, {}, {}, {}};
  one.append(made.molecules, 10);
  const Opinion known = opinion->of(one, {made.smiles[10]}, 1)[0], as_new = opinion->of(one, {"N"}, 1)[0];
  EXPECT_LT(known.by_environments, 100);
  EXPECT_GT(as_new.by_environments, 500);
  EXPECT_LT(known.neighbours_spread, 100);
}

TEST(SecondOpinion, IsAbsentWithoutEnoughValues) {
  MadeUpTraining made;
  for (std::size_t i = 40; i < kTrainingMolecules; ++i) {
    made.values[i] = kNoNumber;
  }
  EXPECT_EQ(SecondOpinion::fit(made.view(), 1), nullptr);
  made.values.clear();
  EXPECT_EQ(SecondOpinion::fit(made.view(), 1), nullptr);
  made.values.assign(kTrainingMolecules, 2);
  EXPECT_EQ(SecondOpinion::fit(made.view(), 1), nullptr);
}

TEST(SecondOpinion, UsesOnlyEnvironmentsIfTheFeaturesWereLearned) {
  const MadeUpTraining made;
  const auto opinion = SecondOpinion::fit(made.view(/*uses_features=*/false), kTestThreads);
  const Opinion found = opinion->of(made.molecules, made.smiles, kTestThreads)[0];
  EXPECT_TRUE(std::isnan(found.by_features));
  EXPECT_TRUE(std::isfinite(found.by_environments));
}

TEST(SecondOpinion, IsRestoredFromItsNumbers) {
  const MadeUpTraining made;
  const auto opinion = SecondOpinion::fit(made.view(), kTestThreads);
  const SecondOpinion restored(made.view(), opinion->state());
  std::mt19937 random(9);
  const Molecules others = made_up_molecules(5, random);
  const auto one = opinion->of(others, new_names(5), 1), other = restored.of(others, new_names(5), 1);
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(numbers_in(one[i]), numbers_in(other[i]));
  }
  SecondOpinion::State damaged = opinion->state();
  damaged.folds.pop_back();
  EXPECT_THROW(SecondOpinion(made.view(), damaged), InputError);
}

/// Molecules whose errors grow with the disagreement between the prediction and the second opinion.
std::vector<CalibrationMolecule> with_opinions(std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(0, 2);
  std::normal_distribution<double> normal;
  std::vector<CalibrationMolecule> molecules(count);
  for (std::size_t i = 0; i < count; ++i) {
    CalibrationMolecule& own = molecules[i];
    own.smiles = "C" + std::to_string(i);
    own.scaffold = "scaffold " + std::to_string(i % 40);
    own.place.distance = uniform(random);
    own.place.new_scaffold = true;
    own.predicted.value = normal(random);
    const double disagreement = uniform(random);
    own.place.opinion = {own.predicted.value + disagreement, own.predicted.value - 0.1 * uniform(random),
                         uniform(random), uniform(random)};
    own.measured = own.predicted.value + (0.1 + disagreement) * normal(random);
  }
  return molecules;
}

TEST(OpinionIntervals, AreChosenIfTheSecondOpinionTellsTheErrors) {
  const auto molecules = with_opinions(600, 1), candidates = with_opinions(2000, 2);
  const PredictionCalibration calibration(molecules, {});
  EXPECT_EQ(calibration.method(), IntervalMethod::opinion);
  double covered = 0;
  for (const CalibrationMolecule& own : candidates) {
    const PredictionInterval interval = calibration.judge(own.predicted, own.place).interval;
    covered += interval.lower <= own.measured && own.measured <= interval.upper ? 1 : 0;
  }
  EXPECT_NEAR(covered / static_cast<double>(candidates.size()), 0.9, 0.03);
}

TEST(OpinionIntervals, NeedASecondOpinion) {
  auto molecules = with_opinions(200, 1);
  for (CalibrationMolecule& own : molecules) {
    own.place.opinion = {};
  }
  EXPECT_NE(PredictionCalibration(molecules, {}).method(), IntervalMethod::opinion);
  try {
    const PredictionCalibration calibration(molecules, {.method = IntervalMethod::opinion});
    FAIL();
  } catch (const InputError& problem) {
    EXPECT_THAT(problem.what(), HasSubstr("needs measured values of at least 50 training molecules"));
  }
  // A prediction without an opinion, in spite of a calibration with opinions.
  const PredictionCalibration calibration(with_opinions(200, 1), {.method = IntervalMethod::opinion});
  EXPECT_THAT(calibration.judge(molecules[0].predicted, molecules[0].place).reason,
              HasSubstr("second opinion"));
}

TEST(Doubt, NamesTheTermThatSpeaks) {
  const auto molecules = with_opinions(400, 3);
  const PredictionCalibration calibration(molecules, {.method = IntervalMethod::opinion});
  UserPrediction prediction{.value = 1};
  PredictionPlace place{.distance = 1, .new_scaffold = true, .opinion = {6, 0.9, 0.5, 0.5}};
  EXPECT_EQ(calibration.judge(prediction, place).doubt,
            "disagrees with Molgauge's model on the features by 5");
  place.opinion = {1, 1, 0, 0};
  place.distance = 0;
  EXPECT_EQ(calibration.judge(prediction, place).doubt, "");
  EXPECT_EQ(Doubt().of(prediction, place), "");
}

TEST(Doubt, ComparesWithTheMedian) {
  const auto molecules = with_opinions(100, 4);
  const std::vector<double> gradients = {1, 1};
  const Doubt doubt({ErrorTerm::distance, ErrorTerm::neighbours_error}, gradients, molecules);
  PredictionPlace place{.distance = 10, .opinion = {0, 0, 2, 0}};
  EXPECT_EQ(doubt.of({}, place), "far from the training set");
  place.opinion.neighbours_error = 20;
  EXPECT_EQ(doubt.of({}, place), "similar training molecules are predicted badly: mean error 20");
}

}  // namespace
}  // namespace molgauge::domain
