#include "verbs/predictions/prediction_facts.h"

#include <cmath>

#include <fmt/format.h>

namespace headroom::session {
namespace {

std::string shown(double number) { return std::isfinite(number) ? fmt::format("{:.4g}", number) : ""; }

}  // namespace

std::vector<report::Term> prediction_terms(const domain::PredictionCalibration& calibration) {
  const double share = 100 * calibration.settings().coverage;
  const std::string& column = calibration.settings().columns.measured;
  const report::Term guaranteed = {
      "coverage guaranteed",
      fmt::format(
          "Whether the coverage of {:g} % holds for molecules like this one, on average. If not, the reason.",
          share)};
  if (calibration.is_classification()) {
    return {{"prediction", fmt::format("Probability of class 1 of {} that your model predicts.", column)},
            {"calibrated probability",
             "Lower and upper probability of class 1 (Venn-ABERS). A wide gap means little evidence."},
            {"possible classes",
             fmt::format(
                 "Classes that cannot be excluded. For {:g} % of molecules of each class, the class is among "
                 "them. Both classes: the prediction does not decide. None: unlike both classes.",
                 share)},
            guaranteed};
  }
  return {
      {"prediction", fmt::format("Value of {} that your model predicts.", column)},
      {"prediction interval",
       fmt::format("Interval that contains the measured value for {:g} % of molecules, on average.", share)},
      {"expected error of your model",
       "Expected absolute error of the prediction, from the errors of the calibration molecules."},
      guaranteed};
}

std::vector<std::string> prediction_facts(const domain::PredictionCalibration& calibration,
                                          const CandidatePredictions::Judged& judged) {
  const domain::PredictionOutcome& outcome = judged.outcome;
  const std::string guaranteed = outcome.is_guaranteed ? "yes" : "no: " + outcome.reason;
  if (calibration.is_classification()) {
    const auto& pair = outcome.probability;
    return {shown(judged.prediction.value),
            pair ? fmt::format("{:.3f} to {:.3f}", pair->lower, pair->upper) : "", outcome.set_text(),
            guaranteed};
  }
  return {shown(judged.prediction.value),
          std::isfinite(outcome.interval.lower)
              ? fmt::format("{:.4g} to {:.4g}", outcome.interval.lower, outcome.interval.upper)
              : "",
          shown(outcome.expected_error), guaranteed};
}

}  // namespace headroom::session
