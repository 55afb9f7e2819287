#pragma once

#include <cstddef>
#include <vector>

#include "pockets/training/history.h"
#include "pockets/training/options.h"

namespace molgauge::pocket {

/// Returns the factor of the learning rate for the epoch after `history`.
double rate_factor(RateSchedule schedule, const std::vector<EpochRecord>& history, std::size_t epochs);

}  // namespace molgauge::pocket
