#pragma once

#include <string>
#include <vector>

#include "molecules/judging/judge.h"
#include "molecules/judging/predictions/prediction_calibration.h"
#include "molecules/verbs/domain/domain_inputs.h"
#include "molecules/verbs/predictions/prediction_columns.h"

namespace molgauge::verbs {

/// Returns the position of a candidate relative to the training molecules.
domain::PredictionPlace place_of(const domain::Candidate& candidate, const domain::Judgement& judgement);

/// Every column that outcome_columns() can contain.
std::vector<std::string> all_outcome_columns();

/// The columns that predictions add to domain.csv, in their order.
std::vector<std::string> outcome_columns(const domain::PredictionCalibration& calibration);

/// The cells of outcome_columns(). `outcome` is null for an unreadable record, whose cells are empty.
std::vector<std::string> outcome_cells(const domain::PredictionCalibration& calibration,
                                       const domain::PredictionOutcome* outcome);

/// Judges the predictions for candidates.
class CandidatePredictions {
 public:
  /// `names`: the columns of the candidates. `calibration` must outlive the object. Throws InputError if a
  /// column is missing.
  CandidatePredictions(const domain::PredictionCalibration& calibration,
                       const domain::PredictionColumns& columns, const std::vector<std::string>& names,
                       const std::string& file);

  /// A prediction, and the result for it. Reading throws InputError with file and line if a cell is invalid.
  struct Judged {
    domain::UserPrediction prediction;
    domain::PredictionOutcome outcome;
  };
  Judged judge(const CandidateRow& row, const domain::Candidate& candidate,
               const domain::Judgement& judgement) const;

 private:
  const domain::PredictionCalibration& calibration_;
  PredictionReader reader_;
};

}  // namespace molgauge::verbs
