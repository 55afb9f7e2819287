#pragma once

#include "headroom/conformers.h"

namespace headroom::encoders {

/// Returns the command-line name of the first conformer option that is set, or null if none is set.
const char* given_option(const PlacementOptions& placement);

}  // namespace headroom::encoders
