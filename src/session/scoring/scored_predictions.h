#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "domain/judge.h"
#include "domain/predictions/prediction_calibration.h"
#include "headroom/evaluate.h"
#include "session/scoring/run_scorer.h"

namespace headroom::session {

/// The predictions of the user's model in `headroom score`, judged with the calibration in a saved domain.
class ScoredPredictions {
 public:
  /// Checks the columns and cells before anything is encoded. `run` outlives the object. Throws UsageError if
  /// the run is not a saved domain with a calibration, and the errors of require_prediction_columns().
  ScoredPredictions(const ScoreRequest& request, const RunScorer& run);

  /// Fills the columns on predictions of a report whose molecules have scores. `new_scaffold`
  /// [molecules]: whether no training molecule has the scaffold.
  void judge(const std::vector<bool>& new_scaffold, ScoreReport& report) const;

 private:
  const ScoreRequest& request_;
  const domain::SavedDomain& saved_;
  domain::PredictionColumns columns_;
};

}  // namespace headroom::session
