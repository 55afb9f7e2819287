#include "molecules/verbs/predictions/prediction_words.h"

#include <cmath>

#include <fmt/format.h>

#include "base/core/text/counted.h"

namespace molgauge::verbs {

void PredictionCounts::add(const domain::PredictionOutcome& outcome) {
  ++candidates;
  meeting_conditions += outcome.meets_conditions ? 1 : 0;
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
  std::string text = "model check: " + report.check.summary() + "\n";
  for (const domain::ModelWarning& warning : report.check.warnings) {
    text += "warning: " + warning.text + "\n";
  }
  return text +
         fmt::format(
             "{} for a coverage of {:g} %, an average over molecules like the calibration molecules: {}\n"
             "{} of {} meet the conditions of the coverage{}",
             kind, 100 * calibration.settings().coverage, checked, counts.meeting_conditions,
             counted(counts.candidates, "candidate"),
             counts.without_result > 0 ? fmt::format(", {} have no result", counts.without_result) : "");
}

}  // namespace molgauge::verbs
