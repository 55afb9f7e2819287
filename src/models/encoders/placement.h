#pragma once

#include <string>

#include "headroom/conformers.h"

namespace headroom::encoders {

/// Whether the places of a drawing are taken where a molecule cannot be embedded, by the text of
/// --conformer-fallback; empty: they are. Throws UsageError on another text.
bool takes_drawings(const std::string& fallback);

/// The option of placing that is given, as it is on the command line; null where none is.
const char* given_option(const PlacementOptions& placement);

}  // namespace headroom::encoders
