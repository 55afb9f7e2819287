#pragma once

#include "headroom/engine.h"

namespace headroom::cli {

/// The engine, loaded on first use: libheadroom.so pulls in RDKit, which `headroom --version` must not wait
/// for. Throws Error when the library is missing or of another version.
Engine& load_engine();

}  // namespace headroom::cli
