#include "molecules/verbs/domain/domain_csv.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "molecules/judging/conformal.h"
#include "molecules/pages/score_table.h"
#include "molecules/verbs/domain/domain_words.h"
#include "molecules/verbs/domain/requested_columns.h"
#include "molecules/verbs/predictions/candidate_predictions.h"

namespace molgauge::verbs {
namespace {

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
                     const CandidateList& candidates, std::size_t threads)
    : saved_(saved),
      columns_(candidates.columns()),
      adds_smiles_(candidates.are_mol_blocks()),
      judges_predictions_(judges_predictions(request)),
      describes_(request.describe),
      file_(request.out, header_of(request, saved, columns_, adds_smiles_),
            csv_texts(request.spreadsheet_safe), {request.workbook, request.sdf}, threads) {}

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
  file_.append(row.record, std::move(cells));
}

}  // namespace molgauge::verbs
