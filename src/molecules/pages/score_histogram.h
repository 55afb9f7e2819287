#pragma once

#include <span>
#include <string>

#include "base/page/chart.h"

namespace molgauge::report {

/// Shares of ID scores (style 0) and OOD scores (style 1) in 10 to 40 bins of equal width. The bins cover the
/// 0.5 % to the 99.5 % quantile of all scores. The first and the last bin also contain the scores outside
/// these quantiles, so a few extreme scores do not compress the other bins. Neither group may be empty.
page::Histogram score_histogram(std::span<const float> id, std::span<const float> ood,
                                std::string description);

}  // namespace molgauge::report
