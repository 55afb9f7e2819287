#pragma once

#include "headroom/engine.h"

namespace headroom::cli {

/// The engine, loaded on first use: libheadroom.so pulls in LibTorch and RDKit, some 300 libraries that
/// `headroom --help` must not wait for. Throws Error when the library is missing or of another version.
Engine& load_engine();

}  // namespace headroom::cli
