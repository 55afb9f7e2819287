#include "molecules/judging/predictions/candidate_range.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace molgauge::domain {
namespace {

using testing::HasSubstr;

/// 60 molecules with values from 4 to 10. The quantiles lie `width` apart.
PredictionCalibration calibration(double width, IntervalMethod method = IntervalMethod::constant) {
  std::vector<CalibrationMolecule> molecules;
  for (int i = 0; i < 60; ++i) {
    CalibrationMolecule molecule;
    molecule.smiles = molecule.scaffold = std::string(static_cast<std::size_t>(i + 1), 'C');
    molecule.measured = 4 + 0.1 * i;
    const double value = molecule.measured + (i % 2 == 0 ? 0.3 : -0.3);
    molecule.predicted = {value, kNoNumber, value - width / 2, value + width / 2};
    molecule.place.distance = 0.01 * i;
    molecules.push_back(molecule);
  }
  return {molecules, {.method = method, .columns = {"y", "p", "", "lo", "hi"}}};
}

std::vector<std::string> warnings(const PredictionCalibration& calibration, double factor, double width) {
  CandidateRange range(calibration);
  for (int i = 0; i < 20; ++i) {
    const double value = factor * (3 + 0.5 * i);
    range.add({value, kNoNumber, value - width / 2, value + width / 2});
  }
  return range.warnings();
}

TEST(CandidateRange, SaysNothingAboutCandidatesLikeTheCalibration) {
  EXPECT_TRUE(warnings(calibration(2), 1, 2).empty());
  EXPECT_TRUE(warnings(calibration(2), 1, kNoNumber).empty());
}

TEST(CandidateRange, WarnsOfOtherUnits) {
  const auto found = warnings(calibration(2), 1000, 2);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0], HasSubstr("of 20 candidates are far outside"));
  EXPECT_THAT(found[0], HasSubstr("for example 3e+03"));
}

TEST(CandidateRange, WarnsOfMeaninglessQuantiles) {
  EXPECT_THAT(warnings(calibration(2e50), 1, 2e50).at(0),
              HasSubstr("of the calibration molecules are 2e+50 apart"));
  EXPECT_THAT(warnings(calibration(2), 1, 2e50).at(0), HasSubstr("of the candidates are 2e+50 apart"));
}

TEST(MondrianGroups, PutEqualDistancesIntoOneGroup) {
  std::vector<CalibrationMolecule> molecules = calibration(2).molecules();
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    molecules[i].place.distance = i < 50 ? 0.5 : 0.6;
  }
  const PredictionCalibration tied(molecules,
                                   {.method = IntervalMethod::mondrian, .columns = {"y", "p", "", "", ""}});
  for (const double distance : {0.1, 0.5, 0.55, 0.6, 0.9}) {
    const PredictionOutcome outcome = tied.judge({6}, {distance});
    EXPECT_GT(outcome.interval.calibrated_on, 0U) << distance;
    EXPECT_TRUE(std::isfinite(outcome.interval.upper)) << distance;
  }
}

}  // namespace
}  // namespace molgauge::domain
