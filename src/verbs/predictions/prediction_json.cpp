#include "verbs/predictions/prediction_json.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "models/domain/judge.h"

namespace headroom::session {
namespace {

using nlohmann::ordered_json;

ordered_json share_json(const domain::Share& share) {
  if (share.molecules == 0) {
    return {{"molecules", 0}, {"share", nullptr}, {"low", nullptr}, {"high", nullptr}};
  }
  return {{"molecules", share.molecules}, {"share", share.share}, {"low", share.low}, {"high", share.high}};
}

ordered_json reliability_json(const std::vector<domain::ReliabilityBin>& bins) {
  ordered_json list = ordered_json::array();
  for (const auto& bin : bins) {
    list.push_back({{"predicted", bin.predicted}, {"observed", share_json(bin.observed)}});
  }
  return list;
}

ordered_json validation_json(const domain::PredictionCalibration& calibration) {
  const domain::CalibrationReport& report = calibration.report();
  if (!report.is_validated()) {
    return {{"why_none", report.why_not_validated}};
  }
  const bool are_classes = calibration.is_classification();
  ordered_json fields = {{"scheme", "five folds of whole scaffolds"},
                         {"coverage", share_json(report.coverage)},
                         {are_classes ? "mean_classes_in_set" : "mean_width", report.width}};
  if (!are_classes) {
    fields["winkler_score"] = report.winkler;
    fields["winkler_score_of_constant_width"] = report.constant_winkler;
  }
  for (std::size_t i = 0; i < report.by_verdict.size(); ++i) {
    fields["coverage_by_verdict"][to_string(static_cast<Verdict>(i))] = share_json(report.by_verdict[i]);
  }
  ordered_json bins = ordered_json::array();
  for (const auto& bin : report.by_distance) {
    bins.push_back({{"distance_low", bin.low},
                    {"distance_high", bin.high},
                    {"coverage", share_json(bin.coverage)},
                    {"mean_absolute_error", bin.error},
                    {"error_low", bin.error_low},
                    {"error_high", bin.error_high},
                    {are_classes ? "mean_classes_in_set" : "mean_width", bin.width}});
  }
  fields["by_distance"] = bins;
  if (are_classes) {
    fields["coverage_by_class"] = {{"0", share_json(report.by_class[0])},
                                   {"1", share_json(report.by_class[1])}};
    fields["reliability_of_predictions"] = reliability_json(report.predicted);
    fields["reliability_of_calibrated_probabilities"] = reliability_json(report.calibrated);
  }
  return fields;
}

}  // namespace

ordered_json predictions_json(const domain::PredictionCalibration& calibration,
                              const PredictionCounts& counts) {
  const auto& settings = calibration.settings();
  const domain::CalibrationReport& report = calibration.report();
  const bool are_classes = calibration.is_classification();
  ordered_json fields;
  fields["kind"] = are_classes ? "classification" : "regression";
  fields["coverage"] = settings.coverage;
  fields["coverage_is"] = "an average over molecules";
  fields["method"] = are_classes ? "class-conditional conformal sets, Venn-ABERS probabilities"
                                 : to_string(calibration.method());
  fields["columns"] = {{"measured", settings.columns.measured},
                       {"prediction", settings.columns.prediction},
                       {"uncertainty", settings.columns.uncertainty},
                       {"lower", settings.columns.lower},
                       {"upper", settings.columns.upper}};
  fields["calibration"] = {{"file", settings.file},
                           {"molecules", report.molecules},
                           {"scaffolds", report.scaffolds},
                           {"training_molecules", report.in_training},
                           {"molecules_with_new_scaffolds", report.new_scaffolds},
                           {are_classes ? "error_rate" : "mean_absolute_error", report.error}};
  fields["cross_validation"] = validation_json(calibration);
  fields["candidates"] = {{"readable", counts.candidates},
                          {"guaranteed", counts.guaranteed},
                          {"without_result", counts.without_result}};
  return fields;
}

}  // namespace headroom::session
