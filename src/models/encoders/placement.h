#pragma once

#include "headroom/conformers.h"

namespace headroom::encoders {

/// The option of placing that is given, as it is on the command line; null where none is.
const char* given_option(const PlacementOptions& placement);

}  // namespace headroom::encoders
