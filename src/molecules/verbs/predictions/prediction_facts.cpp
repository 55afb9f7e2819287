#include "molecules/verbs/predictions/prediction_facts.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace molgauge::verbs {
namespace {

/// The possible classes. If the class that the model predicts is not among them, also the reason, because
/// this looks like a contradiction.
std::string set_in_words(const CandidatePredictions::Judged& judged) {
  const domain::PredictionOutcome& outcome = judged.outcome;
  if (!outcome.set) {
    return "";
  }
  const std::size_t predicted = domain::predicts_one(judged.prediction.value) ? 1 : 0;
  const auto& contains = outcome.set->contains;
  if (contains[0] && contains[1]) {
    return "0 or 1: the prediction does not decide";
  }
  if (contains[predicted]) {
    return outcome.set_text();
  }
  const std::string unusual = fmt::format(
      "of the calibration molecules of class {}, only {:.2g} % have a prediction that is at least as "
      "untypical "
      "of this class as {:.3g}",
      predicted, 100 * outcome.set->p_values[predicted], judged.prediction.value);
  return contains[1 - predicted]
             ? fmt::format("{}, although your model predicts class {}: {}", 1 - predicted, predicted, unusual)
             : fmt::format("none: {}", unusual);
}

std::string shown(double number) { return std::isfinite(number) ? fmt::format("{:.4g}", number) : ""; }

}  // namespace

std::vector<report::Term> prediction_terms(const domain::PredictionCalibration& calibration) {
  const double share = 100 * calibration.settings().coverage;
  const std::string& column = calibration.settings().columns.measured;
  const report::Term conditions = {
      "conditions met",
      fmt::format(
          "Whether this candidate meets the conditions under which {:g} % of molecules are covered, on "
          "average: {}. If not, the reason.",
          share, fmt::join(domain::conditions_of_coverage(), "; "))};
  if (calibration.is_classification()) {
    return {
        {"prediction", fmt::format("Probability of class 1 of {} that your model predicts.", column)},
        {"calibrated probability",
         "Probability of class 1 after calibration, and its lower and upper value (Venn-ABERS). It is "
         "calibrated if the candidate is drawn from the same distribution as the calibration molecules. A "
         "wide gap means little evidence."},
        {"possible classes",
         fmt::format("Classes that the calibration molecules do not exclude. If the conditions are met, the "
                     "right class is among them for {:g} % of molecules of each class. Both classes: the "
                     "prediction does not decide. None: unlike both classes.",
                     share)},
        {"expected error of your model",
         "Probability that the class that your model predicts (1 from a probability of 0.5 on) is wrong, "
         "estimated from the calibration molecules."},
        conditions};
  }
  return {
      {"prediction", fmt::format("Value of {} that your model predicts.", column)},
      {"prediction interval",
       fmt::format("Interval that contains the measured value for {:g} % of molecules, on average, if the "
                   "conditions are met.",
                   share)},
      {"expected error of your model",
       "Expected absolute error of the prediction, from the errors of the calibration molecules."},
      conditions};
}

std::vector<std::string> prediction_facts(const domain::PredictionCalibration& calibration,
                                          const CandidatePredictions::Judged& judged) {
  const domain::PredictionOutcome& outcome = judged.outcome;
  const std::string conditions = outcome.meets_conditions ? "yes" : "no: " + outcome.reason;
  if (calibration.is_classification()) {
    const auto& pair = outcome.probability;
    return {shown(judged.prediction.value),
            pair ? fmt::format("{:.3f} ({:.3f} to {:.3f})", pair->merged(), pair->lower, pair->upper) : "",
            set_in_words(judged), shown(outcome.expected_error), conditions};
  }
  return {shown(judged.prediction.value),
          std::isfinite(outcome.interval.lower)
              ? fmt::format("{:.4g} to {:.4g}", outcome.interval.lower, outcome.interval.upper)
              : "",
          shown(outcome.expected_error), conditions};
}

std::vector<std::string> prediction_order_names(const domain::PredictionCalibration& calibration) {
  return calibration.is_classification()
             ? std::vector<std::string>{"prediction", "calibrated probability", "expected error"}
             : std::vector<std::string>{"prediction", "expected error", "interval width"};
}

std::vector<double> prediction_orders(const domain::PredictionCalibration& calibration,
                                      const CandidatePredictions::Judged& judged) {
  const domain::PredictionOutcome& outcome = judged.outcome;
  if (calibration.is_classification()) {
    return {judged.prediction.value, outcome.probability ? outcome.probability->merged() : domain::kNoNumber,
            outcome.expected_error};
  }
  return {judged.prediction.value, outcome.expected_error, outcome.interval.upper - outcome.interval.lower};
}

}  // namespace molgauge::verbs
