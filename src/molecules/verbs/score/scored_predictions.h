#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "molecules/judging/judge.h"
#include "molecules/judging/predictions/prediction_calibration.h"
#include "molecules/verbs/predictions/candidate_predictions.h"
#include "molecules/verbs/predictions/prediction_columns.h"
#include "molecules/verbs/score/run_scorer.h"
#include "molgauge/evaluate.h"

namespace molgauge::verbs {

/// The predictions of the user's model in `molgauge score`, judged with the calibration in a saved domain.
class ScoredPredictions {
 public:
  /// Checks the columns and cells before anything is encoded. `run` must outlive the object. Throws
  /// UsageError if the run is not a saved domain with a calibration, and the errors of
  /// require_prediction_columns().
  ScoredPredictions(const ScoreRequest& request, const RunScorer& run);

  /// What the judgement of a prediction needs besides the score. Each list has one entry for each molecule.
  struct Facts {
    std::vector<bool> new_scaffold;         ///< whether no training molecule has the scaffold
    std::vector<float> range;               ///< PropertySurprise::value
    std::vector<domain::Opinion> opinions;  ///< the second opinion of the saved domain
  };
  /// Fills the prediction columns of a report whose scores are already set.
  void judge(const Facts& facts, ScoreReport& report);

  /// The calibration that judges the predictions.
  const domain::PredictionCalibration& calibration() const { return *saved_.predictions; }

  /// The prediction of a molecule and the result for it. Call it after judge(). `molecule`: the index of a
  /// molecule with a score.
  CandidatePredictions::Judged judged(const ScoreReport& report, std::size_t molecule) const;
  /// Whether no training molecule has the scaffold of a molecule. Call it after judge().
  bool has_new_scaffold(std::size_t molecule) const { return places_.at(molecule).new_scaffold; }

 private:
  const ScoreRequest& request_;
  const domain::SavedDomain& saved_;
  domain::PredictionColumns columns_;
  std::optional<PredictionReader> reader_;
  std::vector<domain::PredictionPlace> places_;  ///< [molecules]
};

}  // namespace molgauge::verbs
