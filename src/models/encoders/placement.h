#pragma once

#include "headroom/conformers.h"

namespace headroom::encoders {

/// The name of the first conformer option that is set, as on the command line. Null if none is set.
const char* given_option(const PlacementOptions& placement);

}  // namespace headroom::encoders
