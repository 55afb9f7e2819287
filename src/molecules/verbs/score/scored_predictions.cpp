#include "molecules/verbs/score/scored_predictions.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/core/error.h"
#include "molecules/verbs/domain/domain_levels.h"
#include "molecules/verbs/score/domain_run.h"

namespace molgauge::verbs {
namespace {

const domain::SavedDomain& calibrated_domain(const ScoreRequest& request, const RunScorer& run) {
  const auto* const domain = dynamic_cast<const DomainRun*>(&run);
  if (domain == nullptr) {
    throw UsageError(
        fmt::format("--prediction-column {}: {} is not a saved domain, so it contains no calibration of "
                    "predictions. Leave the option out, or name a folder of molgauge domain --save",
                    request.prediction_column, request.run));
  }
  if (domain->saved().predictions == nullptr) {
    throw UsageError(
        fmt::format("--prediction-column {}: {} contains no calibration of predictions. Leave the option "
                    "out, or save the "
                    "domain again with molgauge domain --calibration",
                    request.prediction_column, request.run));
  }
  return domain->saved();
}

/// Returns the request of `molgauge domain` that judges the predictions of a `molgauge score` request.
DomainRequest domain_request(const ScoreRequest& request) {
  DomainRequest domain;
  domain.training = request.run;
  domain.candidates = request.molecules;
  domain.smiles_column = request.smiles_column;
  domain.prediction_column = request.prediction_column;
  domain.uncertainty_column = request.uncertainty_column;
  domain.lower_column = request.lower_column;
  domain.upper_column = request.upper_column;
  return domain;
}

}  // namespace

ScoredPredictions::ScoredPredictions(const ScoreRequest& request, const RunScorer& run)
    : request_(request), saved_(calibrated_domain(request, run)) {
  require_prediction_columns(domain_request(request), saved_);
  columns_ = prediction_columns(domain_request(request), saved_.predictions.get());
  columns_.measured.clear();
}

void ScoredPredictions::judge(const Facts& facts, ScoreReport& report) {
  reader_.emplace(columns_, report.input_columns, request_.molecules);
  report.prediction_columns = outcome_columns(calibration());
  std::vector<domain::ListedScore> scores;
  scores.reserve(report.molecules.size());
  for (std::size_t i = 0; i < report.molecules.size(); ++i) {
    const ScoredMolecule& molecule = report.molecules[i];
    constexpr float kNearest = -std::numeric_limits<float>::infinity();
    scores.push_back(molecule.in_training ? domain::ListedScore{kNearest, kNearest}
                                          : domain::ListedScore{molecule.score, facts.range[i]});
  }
  const auto judgements =
      domain::judge_list(scores, saved_.domain->calibration(), levels_of(domain_request(request_), saved_));
  places_.reserve(report.molecules.size());
  for (std::size_t i = 0; i < report.molecules.size(); ++i) {
    ScoredMolecule& molecule = report.molecules[i];
    places_.push_back({molecule.score, facts.new_scaffold[i], static_cast<std::size_t>(judgements[i].verdict),
                       facts.opinions[i]});
    if (!std::isnan(molecule.score)) {
      const domain::PredictionOutcome outcome = judged(report, i).outcome;
      molecule.prediction = outcome_cells(calibration(), &outcome);
    }
  }
}

CandidatePredictions::Judged ScoredPredictions::judged(const ScoreReport& report,
                                                       std::size_t molecule) const {
  const ScoredMolecule& scored = report.molecules.at(molecule);
  chem::MoleculeRecord record;
  record.line = scored.line;
  record.file = request_.molecules;
  const domain::UserPrediction prediction = reader_->prediction(record, scored.input);
  return {prediction, calibration().judge(prediction, places_.at(molecule))};
}

}  // namespace molgauge::verbs
