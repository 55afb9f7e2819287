#include "verbs/predictions/prediction_words.h"

#include <cmath>

#include <fmt/format.h>

#include "core/counted.h"

namespace headroom::session {

void PredictionCounts::add(const domain::PredictionOutcome& outcome) {
  ++candidates;
  guaranteed += outcome.is_guaranteed ? 1 : 0;
  without_result += !outcome.set && std::isnan(outcome.interval.lower) ? 1 : 0;
}

std::string prediction_summary(const domain::PredictionCalibration& calibration,
                               const PredictionCounts& counts) {
  const domain::CalibrationReport& report = calibration.report();
  const std::string kind = calibration.is_classification() ? "prediction sets" : "prediction intervals";
  const std::string checked =
      report.is_validated()
          ? fmt::format(
                "they covered {:.1f} % (95 % interval {:.1f} to {:.1f} %) of {} with scaffolds left out",
                100 * report.coverage.share, 100 * report.coverage.low, 100 * report.coverage.high,
                counted(report.coverage.molecules, "calibration molecule"))
          : report.why_not_validated;
  return fmt::format(
      "{} for a coverage of {:g} %, an average over molecules: {}\n"
      "guaranteed for {} of {}{}",
      kind, 100 * calibration.settings().coverage, checked, counts.guaranteed,
      counted(counts.candidates, "candidate"),
      counts.without_result > 0 ? fmt::format(", {} without a result", counts.without_result) : "");
}

}  // namespace headroom::session
