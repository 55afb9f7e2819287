#pragma once

#include <span>
#include <string>

#include "pages/toolkit/chart.h"

namespace headroom::report {

/// Shares of ID (style 0) and OOD scores (style 1) in 10 to 40 bins of equal width between the 0.5 % and
/// the 99.5 % quantile of all scores; the outermost bins hold what lies beyond too, so that a few extreme
/// scores do not squeeze the rest. Neither group may be empty.
page::Histogram score_histogram(std::span<const float> id, std::span<const float> ood,
                                std::string description);

}  // namespace headroom::report
