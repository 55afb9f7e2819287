#pragma once

#include <string>

#include "base/page/page.h"
#include "molecules/judging/label_curve.h"

namespace molgauge::report {

/// A sentence about the error curve of the column `name`, for the terminal and the page. Returns an empty
/// text if there is no curve.
std::string error_summary(const domain::LabelCurve& curve, const std::string& name);

/// Adds a section that shows how the error of a simple predictor depends on the distance. Does nothing if the
/// curve is empty.
void add_error_curve(const domain::LabelCurve& curve, const std::string& name, page::Page& page);

}  // namespace molgauge::report
