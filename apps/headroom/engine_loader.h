#pragma once

#include "headroom/engine.h"

namespace headroom::cli {

/// Opens the session of this process.
void open_session(SessionOptions options);

/// That session.
Session& opened_session();

/// The engine of that session, loaded on first use: libheadroom.so loads RDKit, which `headroom --version`
/// does not need. Throws Error when the library is missing or of another version.
Engine& load_engine();

}  // namespace headroom::cli
