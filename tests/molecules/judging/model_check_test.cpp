// Tests the check of the user's model: each broken calibration gives a warning that names the cause.

#include "molecules/judging/predictions/model_check.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "molecules/judging/predictions/correlation.h"
#include "molecules/judging/predictions/prediction_calibration.h"

namespace molgauge::domain {
namespace {

using testing::HasSubstr;
using Measured = std::vector<CalibrationMolecule>;

/// Molecules with values like pIC50, a model with a correlation of about 0.8, and a slightly better model of
/// Molgauge.
Measured sound_model(std::size_t count = 160, double simple_noise = 0.5) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0, 3);
  Measured molecules(count);
  for (std::size_t i = 0; i < count; ++i) {
    CalibrationMolecule& own = molecules[i];
    own.smiles = "N" + std::to_string(1000 + i);
    own.scaffold = "scaffold " + std::to_string(i % 50);
    own.place.distance = uniform(random);
    own.measured = 6.5 + normal(random);
    own.predicted.value = own.measured + 0.7 * normal(random);
    own.simple_prediction = own.measured + simple_noise * normal(random);
  }
  return molecules;
}

Measured classes(std::size_t count = 200) {
  Measured molecules = sound_model(count);
  for (CalibrationMolecule& own : molecules) {
    own.measured = own.measured > 6.5 ? 1 : 0;
    own.predicted.value = 1 / (1 + std::exp(-2 * (own.predicted.value - 6.5)));
    own.simple_prediction = 1 / (1 + std::exp(-2 * (own.simple_prediction - 6.5)));
  }
  return molecules;
}

Measured changed(Measured molecules, const std::function<double(double)>& change) {
  for (CalibrationMolecule& own : molecules) {
    own.predicted.value = change(own.predicted.value);
  }
  return molecules;
}

Measured shuffled(Measured molecules) {
  std::vector<double> predictions;
  for (const CalibrationMolecule& own : molecules) {
    predictions.push_back(own.predicted.value);
  }
  std::shuffle(predictions.begin(), predictions.end(), std::mt19937(2));
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    molecules[i].predicted.value = predictions[i];
  }
  return molecules;
}

ModelCheck check_of(const Measured& molecules, const std::string& simple = "") {
  return PredictionCalibration(molecules, {.file = "cal.csv", .simple_model = simple}).report().check;
}

std::string text_of(const ModelCheck& check, ModelFault fault) {
  for (const ModelWarning& own : check.warnings) {
    if (own.fault == fault) {
      return own.text;
    }
  }
  return "";
}

TEST(Correlation, IsPearsonsAndSpearmans) {
  const std::vector<double> one = {1, 2, 3, 4}, other = {1, 4, 9, 16}, ties = {1, 1, 2, 3};
  EXPECT_NEAR(pearson_correlation(one, other), 0.9843740386976972, 1e-12);
  EXPECT_DOUBLE_EQ(spearman_correlation(one, other), 1);
  EXPECT_NEAR(spearman_correlation(one, ties), 0.9486832980505138, 1e-12);
  EXPECT_TRUE(std::isnan(pearson_correlation(one, std::vector<double>(4, 2.0))));
  EXPECT_DOUBLE_EQ(quantile_of(one, 0.5), 2.5);
}

TEST(ModelCheckTest, ASoundModelGivesNoWarning) {
  const ModelCheck check = check_of(sound_model());
  EXPECT_THAT(check.warnings, testing::IsEmpty());
  EXPECT_NEAR(check.error, 0.7 * std::sqrt(2 / M_PI), 0.1);
  EXPECT_NEAR(check.constant_error, std::sqrt(2 / M_PI), 0.15);
  EXPECT_GT(check.pearson, 0.7);
  EXPECT_THAT(check.summary(),
              HasSubstr("mean absolute error of your model for 160 calibration molecules: 0."));
  EXPECT_THAT(check_of(classes()).warnings, testing::IsEmpty());
}

TEST(ModelCheckTest, OtherUnitsAreNamed) {
  const ModelCheck thousand = check_of(changed(sound_model(), [](double value) { return 1000 * value; }));
  EXPECT_THAT(text_of(thousand, ModelFault::units), HasSubstr("Check the units"));
  EXPECT_TRUE(thousand.has(ModelFault::mean));
  const ModelCheck nanomolar =
      check_of(changed(sound_model(), [](double value) { return std::pow(10, 9 - value); }));
  EXPECT_THAT(text_of(nanomolar, ModelFault::units), HasSubstr("pIC50 = 9 - log10(IC50 in nM)"));
  EXPECT_FALSE(nanomolar.has(ModelFault::sign));
}

TEST(ModelCheckTest, AShiftIsNamed) {
  const ModelCheck check = check_of(changed(sound_model(), [](double value) { return value + 3; }));
  EXPECT_THAT(text_of(check, ModelFault::shift), HasSubstr("too high on average"));
  EXPECT_NEAR(check.bias, 3, 0.2);
  EXPECT_THAT(text_of(check, ModelFault::mean), HasSubstr("not better than the mean"));
}

TEST(ModelCheckTest, TheOppositeSignIsNamed) {
  const ModelCheck check = check_of(changed(sound_model(), [](double value) { return 13 - value; }));
  EXPECT_THAT(text_of(check, ModelFault::sign), HasSubstr("Your predictions correlate with -0.8"));
  const ModelCheck negative = check_of(changed(sound_model(), [](double value) { return -value; }));
  EXPECT_TRUE(negative.has(ModelFault::sign));
  const ModelCheck of_classes = check_of(changed(classes(), [](double value) { return 1 - value; }));
  EXPECT_THAT(text_of(of_classes, ModelFault::sign), HasSubstr("probability of class 1"));
}

TEST(ModelCheckTest, ShuffledRowsAreNamed) {
  const ModelCheck check = check_of(shuffled(sound_model()));
  EXPECT_THAT(text_of(check, ModelFault::order), HasSubstr("same order"));
  EXPECT_TRUE(check.has(ModelFault::mean));
  EXPECT_THAT(text_of(check_of(shuffled(classes())), ModelFault::order), HasSubstr("same order"));
}

TEST(ModelCheckTest, ConstantPredictionsAreNamed) {
  EXPECT_THAT(text_of(check_of(changed(sound_model(), [](double) { return 6.0; })), ModelFault::constant),
              HasSubstr("All predictions are 6"));
}

TEST(ModelCheckTest, ABetterSimpleModelIsNamed) {
  const ModelCheck check = check_of(sound_model(), "ridge regression");
  EXPECT_LT(check.simple_error, check.error);
  EXPECT_THAT(text_of(check, ModelFault::simple), HasSubstr("Molgauge's own model (ridge regression)"));
  EXPECT_FALSE(check_of(sound_model(160, 1.2), "ridge regression").has(ModelFault::simple));
  EXPECT_TRUE(check_of(classes(), "ridge regression").has(ModelFault::simple));
}

/// No interval is wider than twice the constant width, because the errors come from the fault.
TEST(ModelCheckTest, BrokenPredictionsNeverGetWideIntervals) {
  const std::vector<Measured> broken = {
      changed(sound_model(), [](double value) { return 1000 * value; }),
      changed(sound_model(), [](double value) { return std::pow(10, 9 - value); }),
      changed(sound_model(), [](double value) { return value + 3; }),
      changed(sound_model(), [](double value) { return 13 - value; }), shuffled(sound_model())};
  for (const Measured& molecules : broken) {
    const PredictionCalibration calibrated(molecules, {}),
        constant(molecules, {.method = IntervalMethod::constant});
    EXPECT_THAT(calibrated.report().check.warnings, testing::Not(testing::IsEmpty()));
    for (const double distance : {0.0, 1.0, 3.0, 9.0}) {
      const auto width = [&](const PredictionCalibration& own) {
        const PredictionInterval interval = own.judge({.value = 6}, {.distance = distance}).interval;
        return interval.upper - interval.lower;
      };
      EXPECT_LE(width(calibrated), 2 * width(constant));
    }
  }
}

TEST(ModelCheckTest, WildValuesAreNamedAndLeftOut) {
  Measured molecules = sound_model();
  molecules[3].measured = 6500;
  molecules[3].line = 5;
  const ModelCheck check = check_of(molecules);
  EXPECT_EQ(check.wild, 1U);
  EXPECT_THAT(text_of(check, ModelFault::wild), HasSubstr("cal.csv:5: N1003 (predicted "));
  EXPECT_LT(check.error, check.constant_error);
  EXPECT_LT(check.constant_error, 1);
}

TEST(ModelCheckTest, AClassifierWorseThanTheFrequentClassIsNamed) {
  Measured molecules = classes();
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    molecules[i].measured = i % 20 == 0 ? 1 : 0;
    molecules[i].predicted.value = i % 20 == 0 || i % 5 == 1 ? 0.7 : 0.2;
  }
  const ModelCheck check = check_of(molecules);
  EXPECT_THAT(text_of(check, ModelFault::mean), HasSubstr("always predicting the more frequent class"));
}

}  // namespace
}  // namespace molgauge::domain
