#include "molecules/verbs/domain/domain_outputs.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/json/json_text.h"
#include "base/core/text/counted.h"
#include "molecules/chem/identity.h"
#include "molecules/judging/conformal.h"
#include "molecules/judging/held_out_distribution.h"
#include "molecules/judging/saved/label_notes_json.h"
#include "molecules/pages/score_table.h"
#include "molecules/verbs/domain/domain_columns.h"
#include "molecules/verbs/domain/domain_levels.h"
#include "molecules/verbs/predictions/candidate_predictions.h"
#include "molecules/verbs/predictions/prediction_json.h"

namespace molgauge::verbs {
namespace {

using nlohmann::ordered_json;

std::vector<std::string> header_of(const DomainRequest& request, const domain::SavedDomain& saved,
                                   const std::vector<std::string>& columns, bool adds_smiles) {
  std::vector<std::string> header = columns;
  if (adds_smiles) {
    header.push_back(report::free_column_name(columns, "smiles"));
  }
  const std::vector<std::string> added = domain_columns(saved, judges_predictions(request), request.describe);
  require_free_columns(request.candidates, columns, added);
  header.insert(header.end(), added.begin(), added.end());
  return header;
}

std::string text_of(double number, const char* format = "{:.6g}") {
  return std::isfinite(number) ? fmt::format(fmt::runtime(format), number) : "";
}

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

std::vector<std::string> domain_columns(const domain::SavedDomain& saved, bool judges_predictions,
                                        bool describes) {
  std::vector<std::string> columns = {"decision",       "decision_reason", "domain",
                                      "domain_p_value", "domain_q_value",  "domain_p_new_scaffold",
                                      "domain_p_range", "domain_distance", "domain_percentile"};
  if (!saved.curve.empty()) {
    columns.emplace_back(kExpectedError);
  }
  for (std::size_t i = 1; i <= domain::kNearestShown; ++i) {
    for (const char* const part : {"name", "smiles", "tanimoto", "distance"}) {
      columns.push_back(fmt::format("nearest_{}_{}", i, part));
    }
    if (!saved.values.empty()) {
      columns.push_back(fmt::format("nearest_{}_value", i));
    }
  }
  for (const char* const column :
       {"in_training", "scaffold", "scaffold_in_training", "foreign_atoms", "foreign_elements",
        "foreign_rings", "foreign_size", "foreign_log_p", "foreign_charge", "standardized_smiles",
        "training_match", "training_match_name", "training_match_smiles", "domain_reason"}) {
    columns.emplace_back(column);
  }
  if (judges_predictions && saved.predictions != nullptr) {
    const std::vector<std::string> outcomes = outcome_columns(*saved.predictions);
    columns.insert(columns.end(), outcomes.begin(), outcomes.end());
  }
  if (describes) {
    const std::vector<std::string> properties = verbs::property_names();
    columns.insert(columns.end(), properties.begin(), properties.end());
  }
  return columns;
}

DomainCsv::DomainCsv(const DomainRequest& request, const domain::SavedDomain& saved,
                     const CandidateList& candidates)
    : saved_(saved),
      columns_(candidates.columns()),
      adds_smiles_(candidates.are_mol_blocks()),
      judges_predictions_(judges_predictions(request)),
      describes_(request.describe),
      file_(request.out, header_of(request, saved, columns_, adds_smiles_),
            csv_texts(request.spreadsheet_safe)) {}

void DomainCsv::append(const CandidateRow& row, const domain::Candidate& candidate,
                       const domain::Judgement& judgement, const domain::PredictionOutcome* outcome,
                       const domain::DecisionRules& rules, const domain::Advice& advice,
                       const verbs::OptionalProperties& properties) {
  std::vector<std::string> cells = row.fields;
  cells.resize(columns_.size());  // more columns of an .sdf become known while it is read
  if (adds_smiles_) {
    cells.push_back(candidate.smiles);
  }
  const bool readable = candidate.unreadable.empty();
  const auto add = [&](std::string text) { cells.push_back(readable ? std::move(text) : ""); };
  cells.insert(cells.end(), {to_string(advice.decision), rules.words(advice), to_string(judgement.verdict)});
  add(text_of(judgement.p_value));
  add(text_of(judgement.q_value));
  add(text_of(judgement.p_scaffold));
  add(text_of(judgement.p_range));
  add(text_of(candidate.score));
  add(text_of(domain::percentile(saved_.domain->calibration().left_out, candidate.score)));
  if (!saved_.curve.empty()) {
    add(text_of(saved_.curve.expected_error(candidate.score)));
  }
  for (std::size_t i = 0; i < domain::kNearestShown; ++i) {
    if (i >= candidate.nearest_count) {
      cells.insert(cells.end(), saved_.values.empty() ? 4 : 5, "");
      continue;
    }
    const std::size_t molecule = candidate.nearest[i].molecule;
    cells.push_back(saved_.notes.names[molecule]);
    cells.push_back(saved_.notes.smiles[molecule]);
    cells.push_back(text_of(candidate.tanimoto[i], "{:.4f}"));
    cells.push_back(text_of(candidate.nearest[i].distance));
    if (!saved_.values.empty()) {
      cells.push_back(text_of(saved_.values[molecule], "{}"));
    }
  }
  add(candidate.equals_training ? "yes" : "no");
  add(candidate.scaffold);
  add(candidate.foreign.scaffold_seen ? "yes" : "no");
  add(fmt::format("{}", fmt::join(candidate.foreign.atoms, " ")));
  add(fmt::format("{}", fmt::join(candidate.foreign.elements, " ")));
  add(fmt::format("{}", fmt::join(candidate.foreign.rings, " ")));
  add(candidate.foreign.size);
  add(candidate.foreign.log_p);
  add(candidate.foreign.charge);
  add(candidate.standardized);
  const bool has_match = candidate.match.kind != MatchKind::none;
  add(to_string(candidate.match.kind));
  add(has_match ? saved_.notes.names[candidate.match.molecule] : "");
  add(has_match ? saved_.notes.smiles[candidate.match.molecule] : "");
  cells.push_back(domain_reason(candidate, judgement));
  if (judges_predictions_) {
    const std::vector<std::string> outcomes = outcome_cells(*saved_.predictions, outcome);
    cells.insert(cells.end(), outcomes.begin(), outcomes.end());
  }
  if (describes_) {
    verbs::append_property_cells(properties, cells);
  }
  file_.append(cells);
}

std::string domain_reason(const domain::Candidate& candidate, const domain::Judgement& judgement) {
  if (!candidate.unreadable.empty()) {
    return candidate.unreadable;
  }
  std::vector<std::string> reasons;
  if (judgement.is_by_distance) {
    reasons.push_back(fmt::format("far from the training set (p = {:.2g})", judgement.p_value));
  }
  if (judgement.is_by_range) {
    reasons.push_back(candidate.range_words);
  }
  reasons.insert(reasons.end(), candidate.remarks.begin(), candidate.remarks.end());
  return fmt::format("{}", fmt::join(reasons, "; "));
}

std::string match_words(const domain::TrainingMatch& match, const domain::TrainingNotes& training) {
  if (match.kind == MatchKind::none) {
    return "";
  }
  const std::string& name = training.names[match.molecule];
  switch (match.kind) {
    case MatchKind::same_parent:
      return fmt::format("is the training molecule {}, drawn differently", name);
    case MatchKind::tautomer:
      return fmt::format("is a tautomer of the training molecule {}", name);
    case MatchKind::stereoisomer:
      return fmt::format("is the training molecule {} except for the stereochemistry", name);
    default:
      return "is a training molecule";
  }
}

std::vector<std::string> foreign_words(const domain::Candidate& candidate,
                                       const domain::TrainingNotes& training) {
  if (!candidate.unreadable.empty()) {
    return {candidate.unreadable};
  }
  const domain::ForeignParts& foreign = candidate.foreign;
  std::vector<std::string> words;
  if (std::string match = match_words(candidate.match, training); !match.empty()) {
    words.push_back(std::move(match));
  }
  if (!foreign.elements.empty()) {
    words.push_back(fmt::format("new elements: {}", fmt::join(foreign.elements, ", ")));
  }
  if (!foreign.rings.empty()) {
    words.push_back(fmt::format("new rings: {}", fmt::join(foreign.rings, ", ")));
  }
  if (!foreign.atoms.empty()) {
    words.push_back(
        fmt::format("{} with new neighbours",
                    foreign.atoms.size() == 1 ? "1 atom" : fmt::format("{} atoms", foreign.atoms.size())));
  }
  for (const std::string& text : {foreign.size, foreign.log_p, foreign.charge}) {
    if (!text.empty()) {
      words.push_back(text);
    }
  }
  if (!foreign.scaffold_seen) {
    words.emplace_back("new scaffold");
  }
  return words;
}

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
