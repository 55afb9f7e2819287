#pragma once

#include <string>

#include "headroom/engine.h"

namespace headroom::cli {

/// Opens the session of this process.
void open_session(SessionOptions options);

/// The session of this process.
Session& opened_session();

/// The engine of the session. It is loaded on first use, because libheadroom.so loads RDKit, which `headroom
/// --version` does not need. Throws Error if the library is missing or has another version.
Engine& load_engine();

/// The name of the instruction set whose kernels libheadroom.so uses on this CPU, for example "avx512-bf16".
/// Throws Error as load_engine() does.
std::string instruction_set();

}  // namespace headroom::cli
