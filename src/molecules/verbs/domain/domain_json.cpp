#include "molecules/verbs/domain/domain_json.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/json/json_text.h"
#include "base/core/text/counted.h"
#include "molecules/chem/identity.h"
#include "molecules/judging/held_out_distribution.h"
#include "molecules/judging/saved/label_json.h"
#include "molecules/verbs/domain/domain_levels.h"
#include "molecules/verbs/predictions/candidate_predictions.h"
#include "molecules/verbs/predictions/prediction_json.h"

namespace molgauge::verbs {
namespace {

using nlohmann::ordered_json;

/// Returns the distance at which p-values become at most `level`, or null if there is no such distance.
ordered_json threshold(const domain::HeldOutDistribution& held_out, double level) {
  const float score = held_out.threshold(level);
  return std::isfinite(score) ? ordered_json(score) : ordered_json(nullptr);
}

ordered_json bin_json(const domain::LabelCurve::Bin& bin, const domain::LabelCurve& curve) {
  ordered_json fields = {
      {"distance_low", bin.low}, {"distance_high", bin.high}, {"molecules", bin.molecules}};
  if (bin.scaffolds > 0) {
    fields["scaffolds"] = bin.scaffolds;
  }
  fields[curve.is_classification() ? "error_rate" : "mean_absolute_error"] = bin.error;
  fields["low"] = bin.error_low;
  fields["high"] = bin.error_high;
  if (curve.is_classification()) {
    fields["positive_molecules"] = bin.positives;
    fields["auroc"] = bin.auroc.value;
    fields["auroc_low"] = bin.auroc.low;
    fields["auroc_high"] = bin.auroc.high;
  }
  return fields;
}

/// Returns the error curve as JSON, or null without a curve. Unknown numbers are null.
ordered_json curve_json(const domain::SavedDomain& saved) {
  const domain::LabelCurve& curve = saved.curve;
  if (curve.empty()) {
    return nullptr;
  }
  const bool is_classification = curve.is_classification();
  const std::string error = is_classification ? "error_rate" : "mean_absolute_error";
  ordered_json fields = {
      {"column", saved.value_name},
      {"task", is_classification ? "classification" : "regression"},
      {"predictor", is_classification ? "ridge regression on the classes 0 and 1 with standardised "
                                        "features, five folds of whole scaffolds"
                                      : "ridge regression on standardised features, five folds of whole "
                                        "scaffolds"},
      {"intervals", "95 %, clustered by scaffold"},
      {"molecules", curve.molecules}};
  if (curve.scaffolds > 0) {
    fields["scaffolds"] = curve.scaffolds;
  }
  if (is_classification) {
    fields["negative_class"] = curve.negative_value;
    fields["positive_class"] = curve.positive_value;
    fields["positive_molecules"] = curve.positives;
    fields["auroc"] = curve.auroc.value;
    fields["auroc_low"] = curve.auroc.low;
    fields["auroc_high"] = curve.auroc.high;
  }
  fields[error] = curve.error;
  fields[error + "_low"] = curve.error_low;
  fields[error + "_high"] = curve.error_high;
  fields["innermost_half"] = curve.inner_half;
  fields["outermost_tenth"] = curve.outer_tenth;
  fields[is_classification ? "error_of_the_majority_class" : "error_of_the_mean_value"] =
      curve.constant_error;
  fields["bins"] = ordered_json::array();
  for (const auto& bin : curve.bins) {
    fields["bins"].push_back(bin_json(bin, curve));
  }
  return fields;
}

/// The decisions by DecisionRules, with their limits, reasons and counts.
ordered_json decision_json(const domain::DecisionRules& rules, const domain::DecisionCounts& counts) {
  ordered_json fields = {{"decided_by", rules.has_predictions() ? "verdict and prediction" : "verdict"}};
  if (rules.has_predictions() && !rules.are_classes()) {
    fields["largest_expected_error"] = rules.largest_error();
    fields["error_of_a_constant_prediction"] = rules.constant_error();
    fields["largest_interval_width"] = rules.largest_width();
  }
  for (const Decision decision : {Decision::use, Decision::check, Decision::drop}) {
    ordered_json reasons = ordered_json::object();
    for (std::size_t i = 0; i < domain::kDecisionReasons; ++i) {
      const auto reason = static_cast<domain::DecisionReason>(i);
      if (domain::decision_of(reason) == decision && counts.of(reason) > 0) {
        reasons[rules.words(reason)] = counts.of(reason);
      }
    }
    fields[to_string(decision)] = {{"candidates", counts.of(decision)}, {"reasons", reasons}};
  }
  return fields;
}

}  // namespace

std::string domain_json(const DomainResult& result) {
  const auto& [request, saved, report, levels, candidates, predictions, predicted_form, rules, decisions,
               candidates_sha256] = result;
  const domain::Calibration& calibration = saved.domain->calibration();
  ordered_json fields;
  fields["molgauge_version"] = MOLGAUGE_VERSION;
  fields["training"] = {{"file", saved.training_file},
                        {"sha256", saved.training_sha256},
                        {"molecules", saved.domain->training().size()},
                        {"duplicates_left_out", saved.duplicates},
                        {"duplicates_drawn_differently", saved.merged.redrawn},
                        {"unreadable", saved.failed}};
  fields["candidates"] = {{"file", request.candidates},      {"sha256", candidates_sha256},
                          {"records", candidates},           {"inside", report.inside},
                          {"borderline", report.borderline}, {"outside", report.outside},
                          {"unreadable", report.unreadable}};
  fields["decision"] = decision_json(rules, decisions);
  fields["method"] = {{"name", to_string(saved.settings.method)},
                      {"encoder", saved.source.encoder},
                      {"features", saved.source.features},
                      {"encoder_identity", saved.source.identity},
                      {"identity_scheme", chem::identity_scheme()},
                      {"standardize", to_string(saved.standardize.mode)},
                      {"keep_isotopes", saved.standardize.keeps_isotopes},
                      {"neighbours", saved.domain->reference().neighbours()}};
  if (predicted_form) {
    fields["method"]["predicted_form"] = to_string(*predicted_form);
  }
  const domain::HeldOutDistribution left_out(calibration.left_out);
  fields["levels"] = {{"outside_p_value", levels.outside}, {"borderline_p_value", levels.borderline}};
  fields["thresholds"] = {{"distance_at_borderline", threshold(left_out, levels.borderline)},
                          {"distance_at_outside", threshold(left_out, levels.outside)}};
  fields["notices"] = report.notices;
  fields["calibration"] = {{"left_out_molecules", calibration.left_out.size()},
                           {"left_out_scaffold_molecules", calibration.scaffold.size()},
                           {"left_out_scaffolds", calibration.scaffolds},
                           {"molecules_of_largest_left_out_scaffold", calibration.largest_scaffold},
                           {"smallest_measured_p_value", left_out.smallest_measured_p()},
                           {"smaller_p_values_are_extrapolated", left_out.has_tail()},
                           {"distances_left_out", calibration.left_out},
                           {"distances_left_out_scaffolds", calibration.scaffold}};
  fields["labels"] = domain::label_notes_json(saved.labels);
  fields["label_curve"] = curve_json(saved);
  if (predictions != nullptr) {
    fields["predictions"] = predictions_json(*saved.predictions, *predictions);
  }
  return json_text(fields);
}

std::vector<std::pair<std::string, std::string>> domain_settings(const DomainResult& result) {
  const auto& [request, saved, report, levels, candidates, predictions, predicted_form, rules, decisions,
               candidates_sha256] = result;
  const domain::Calibration& calibration = saved.domain->calibration();
  std::vector<std::pair<std::string, std::string>> settings = {
      {"Training molecules", fmt::format("{} of {}", saved.domain->training().size(), saved.training_file)},
      {"SHA-256 of the training file", saved.training_sha256},
      {"Candidates", fmt::format("{} of {}", candidates, request.candidates)},
      {"Distance", to_string(saved.settings.method)},
      {"Features", saved.source.features == "native" ? saved.source.encoder : saved.source.features},
      {"Encoder", saved.source.identity},
      {"Standardised to",
       to_string(saved.standardize.mode) + (saved.standardize.keeps_isotopes ? " with isotopes" : "")},
      {"Left out one by one", std::to_string(calibration.left_out.size())},
      {"Left out by scaffold",
       fmt::format("{} of {}", calibration.scaffold.size(), counted(calibration.scaffolds, "scaffold"))},
      {"Outside: p-value of at most", fmt::format("{:g}", levels.outside)},
      {"Borderline: p-value of at most", fmt::format("{:g}", levels.borderline)},
      {"Molgauge", MOLGAUGE_VERSION}};
  if (predicted_form) {
    const bool is_drawing = *predicted_form == Standardize::none;
    settings.insert(settings.end() - 1,
                    {"Form that the model predicts", is_drawing ? "as drawn" : to_string(*predicted_form)});
  }
  return settings;
}

}  // namespace molgauge::verbs
