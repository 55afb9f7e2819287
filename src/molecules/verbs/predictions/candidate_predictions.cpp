#include "molecules/verbs/predictions/candidate_predictions.h"

#include <cmath>

#include <fmt/format.h>

namespace molgauge::verbs {
namespace {

domain::PredictionColumns without_measured(domain::PredictionColumns columns) {
  columns.measured.clear();
  return columns;
}

std::string cell(double number) { return std::isfinite(number) ? fmt::format("{:.12g}", number) : ""; }

}  // namespace

domain::PredictionPlace place_of(const domain::Candidate& candidate, const domain::Judgement& judgement) {
  return {candidate.score, !candidate.foreign.scaffold_seen, static_cast<std::size_t>(judgement.verdict),
          candidate.opinion};
}

std::vector<std::string> all_outcome_columns() {
  return {"prediction_set",   "probability_lower",         "probability_upper",         "prediction_lower",
          "prediction_upper", "prediction_expected_error", "prediction_conditions_met", "prediction_reason",
          "prediction_doubt"};
}

std::vector<std::string> outcome_columns(const domain::PredictionCalibration& calibration) {
  std::vector<std::string> columns =
      calibration.is_classification()
          ? std::vector<std::string>{"prediction_set", "probability_lower", "probability_upper"}
          : std::vector<std::string>{"prediction_lower", "prediction_upper"};
  for (const char* const column :
       {"prediction_expected_error", "prediction_conditions_met", "prediction_reason", "prediction_doubt"}) {
    columns.emplace_back(column);
  }
  return columns;
}

std::vector<std::string> outcome_cells(const domain::PredictionCalibration& calibration,
                                       const domain::PredictionOutcome* outcome) {
  if (outcome == nullptr) {
    return std::vector<std::string>(outcome_columns(calibration).size());
  }
  std::vector<std::string> cells;
  if (calibration.is_classification()) {
    cells = {outcome->set_text(), outcome->probability ? cell(outcome->probability->lower) : "",
             outcome->probability ? cell(outcome->probability->upper) : ""};
  } else {
    cells = {cell(outcome->interval.lower), cell(outcome->interval.upper)};
  }
  cells.push_back(cell(outcome->expected_error));
  cells.emplace_back(outcome->meets_conditions ? "yes" : "no");
  cells.push_back(outcome->reason);
  cells.push_back(outcome->doubt);
  return cells;
}

CandidatePredictions::CandidatePredictions(const domain::PredictionCalibration& calibration,
                                           const domain::PredictionColumns& columns,
                                           const std::vector<std::string>& names, const std::string& file)
    : calibration_(calibration), reader_(without_measured(columns), names, file) {}

CandidatePredictions::Judged CandidatePredictions::judge(const CandidateRow& row,
                                                         const domain::Candidate& candidate,
                                                         const domain::Judgement& judgement) const {
  Judged judged;
  judged.prediction = reader_.prediction(row.record, row.fields);
  judged.outcome = calibration_.judge(judged.prediction, place_of(candidate, judgement));
  return judged;
}

}  // namespace molgauge::verbs
