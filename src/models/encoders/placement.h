#pragma once

#include "headroom/conformers.h"

namespace headroom::encoders {

/// Returns the name of the first conformer option that is set, as on the command line, or null if none is
/// set.
const char* given_option(const PlacementOptions& placement);

}  // namespace headroom::encoders
