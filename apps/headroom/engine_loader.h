#pragma once

#include "headroom/engine.h"

namespace headroom::cli {

/// Opens the session of this process.
void open_session(SessionOptions options);

/// The session of this process.
Session& opened_session();

/// The engine of the session. It is loaded on first use, because libheadroom.so loads RDKit, which `headroom
/// --version` does not need. Throws Error if the library is missing or has another version.
Engine& load_engine();

}  // namespace headroom::cli
