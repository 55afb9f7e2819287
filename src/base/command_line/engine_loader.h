#pragma once

#include <string>

#include "molgauge/engine.h"

namespace molgauge::cli {

/// Opens the session of this process. Call it before the functions below.
void open_session(SessionOptions options);

/// Returns the session of this process.
Session& opened_session();

/// Returns the engine of the session. The first call loads libmolgauge.so, which loads RDKit. Commands such
/// as `molgauge --version` start faster without it. Throws Error if the library is missing or has another
/// version.
Engine& load_engine();

/// Returns the name of the instruction set that the kernels of libmolgauge.so use on this CPU, for example
/// "avx512-bf16". Loads libmolgauge.so. Throws Error if the library is missing or has another version.
std::string instruction_set();

}  // namespace molgauge::cli
