#pragma once

#include "headroom/conformers.h"

namespace headroom::encoders {

/// The first conformer option that is set, as it is written on the command line. Null if none is set.
const char* given_option(const PlacementOptions& placement);

}  // namespace headroom::encoders
