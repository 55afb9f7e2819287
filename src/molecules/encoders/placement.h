#pragma once

#include "molgauge/conformers.h"

namespace molgauge::encoders {

/// Returns the command-line name of the first conformer option that is set, or null if none is set.
const char* given_option(const PlacementOptions& placement);

}  // namespace molgauge::encoders
