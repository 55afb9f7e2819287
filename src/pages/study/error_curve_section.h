#pragma once

#include <string>

#include "models/domain/label_curve.h"
#include "pages/toolkit/page.h"

namespace headroom::report {

/// A sentence about the error curve of the column `name`, for the terminal and the page. Empty without a
/// curve.
std::string error_summary(const domain::LabelCurve& curve, const std::string& name);

/// Adds a section about how errors grow with the distance. Does nothing if the curve is empty.
void add_error_curve(const domain::LabelCurve& curve, const std::string& name, page::Page& page);

}  // namespace headroom::report
