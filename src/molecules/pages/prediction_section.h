#pragma once

#include "base/page/page.h"
#include "molecules/judging/predictions/prediction_calibration.h"

namespace molgauge::report {

/// Adds the section that compares the user's model with Molgauge's own model and with a constant prediction.
/// The warnings come first.
void add_model_check(const domain::PredictionCalibration& calibration, page::Page& page);

/// Adds the section about the predictions of the user. It shows the coverage by verdict and by distance, with
/// confidence intervals. It also shows how the error, and the width of the prediction intervals, depend on
/// the distance. For classes, it also shows the reliability diagram.
void add_prediction_section(const domain::PredictionCalibration& calibration, page::Page& page);

}  // namespace molgauge::report
