#pragma once

#include <string>
#include <vector>

#include "molecules/pages/domain_page.h"
#include "molecules/verbs/predictions/candidate_predictions.h"

namespace molgauge::verbs {

/// The numbers about the prediction of a candidate that a page shows, with their explanations.
std::vector<report::Term> prediction_terms(const domain::PredictionCalibration& calibration);

/// The texts of prediction_terms() for a candidate.
std::vector<std::string> prediction_facts(const domain::PredictionCalibration& calibration,
                                          const CandidatePredictions::Judged& judged);

/// The names of the numbers of prediction_orders(), by which a page orders its candidates.
std::vector<std::string> prediction_order_names(const domain::PredictionCalibration& calibration);

/// The prediction, its expected error and the width of its interval. For classes, the prediction, the
/// calibrated probability and the expected error. NaN if a number is unknown.
std::vector<double> prediction_orders(const domain::PredictionCalibration& calibration,
                                      const CandidatePredictions::Judged& judged);

}  // namespace molgauge::verbs
