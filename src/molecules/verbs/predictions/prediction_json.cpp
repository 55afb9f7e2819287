#include "molecules/verbs/predictions/prediction_json.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "molecules/judging/judge.h"

namespace molgauge::verbs {
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

/// A number, or null if it is not finite.
ordered_json number_json(double number) {
  return std::isfinite(number) ? ordered_json(number) : ordered_json(nullptr);
}

ordered_json check_json(const domain::ModelCheck& check) {
  const char* const error = check.are_classes ? "error_rate" : "mean_absolute_error";
  ordered_json fields = {{"molecules", check.molecules}, {"molecules_with_wild_values", check.wild}};
  fields["your_model"] = {{error, number_json(check.error)}};
  fields["simple_model"] = {{"model", check.simple_model}, {error, number_json(check.simple_error)}};
  fields[check.are_classes ? "more_frequent_class" : "mean"] = {{error, number_json(check.constant_error)}};
  if (check.are_classes) {
    fields["your_model"]["auroc"] = number_json(check.auroc.value);
    fields["your_model"]["auroc_low"] = number_json(check.auroc.low);
    fields["your_model"]["auroc_high"] = number_json(check.auroc.high);
    fields["simple_model"]["auroc"] = number_json(check.simple_auroc);
  } else {
    fields["your_model"]["pearson_correlation"] = number_json(check.pearson);
    fields["your_model"]["spearman_correlation"] = number_json(check.spearman);
    fields["your_model"]["mean_difference"] = number_json(check.bias);
  }
  fields["warnings"] = ordered_json::array();
  for (const domain::ModelWarning& warning : check.warnings) {
    fields["warnings"].push_back({{"cause", domain::word_of(warning.fault)}, {"text", warning.text}});
  }
  return fields;
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
  fields[are_classes ? "auroc_of_expected_error" : "spearman_correlation_of_expected_error"] =
      number_json(report.order_of_errors);
  for (std::size_t i = 0; i < report.by_verdict.size(); ++i) {
    ordered_json& of_verdict = fields["coverage_by_verdict"][to_string(static_cast<Verdict>(i))];
    of_verdict = share_json(report.by_verdict[i]);
    of_verdict[are_classes ? "error_rate" : "mean_absolute_error"] = number_json(report.error_by_verdict[i]);
  }
  ordered_json bins = ordered_json::array();
  for (const auto& bin : report.by_distance) {
    bins.push_back({{"distance_low", bin.low},
                    {"distance_high", bin.high},
                    {"coverage", share_json(bin.coverage)},
                    {"mean_absolute_error", bin.error},
                    {"error_low", number_json(bin.error_low)},
                    {"error_high", number_json(bin.error_high)},
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
  fields["coverage_is"] = "an average over molecules like the calibration molecules";
  fields["conditions"] = domain::conditions_of_coverage();
  fields["model_check"] = check_json(report.check);
  fields["method"] = are_classes ? "class-conditional conformal sets, Venn-ABERS probabilities"
                                 : to_string(calibration.method());
  fields["columns"] = {{"measured", settings.columns.measured},
                       {"prediction", settings.columns.prediction},
                       {"uncertainty", settings.columns.uncertainty},
                       {"lower", settings.columns.lower},
                       {"upper", settings.columns.upper}};
  fields["calibration"] = {{"file", settings.file},
                           {"molecules", report.molecules},
                           {"merged_measurements", report.merged},
                           {"molecules_without_majority", report.undecided},
                           {"scaffolds", report.scaffolds},
                           {"training_molecules", report.in_training},
                           {"molecules_with_new_scaffolds", report.new_scaffolds},
                           {are_classes ? "error_rate" : "mean_absolute_error", report.error}};
  fields["cross_validation"] = validation_json(calibration);
  fields["candidates"] = {{"readable", counts.candidates},
                          {"conditions_met", counts.meeting_conditions},
                          {"without_result", counts.without_result}};
  return fields;
}

}  // namespace molgauge::verbs
