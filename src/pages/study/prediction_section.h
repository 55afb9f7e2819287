#pragma once

#include "models/domain/predictions/prediction_calibration.h"
#include "pages/toolkit/page.h"

namespace headroom::report {

/// Adds the section about the predictions of the user: coverage by verdict and by distance with confidence
/// intervals, error and width against distance and, for classes, the reliability diagram.
void add_prediction_section(const domain::PredictionCalibration& calibration, page::Page& page);

}  // namespace headroom::report
