#pragma once

#include <string>

#include "core/device.h"

namespace headroom::session {

/// Reads `--device`: "auto" (the first GPU, else the CPU), "cpu", "cuda" (the first GPU), "cuda:N". LibTorch
/// is loaded for what may be a GPU alone. Throws UsageError on any other text, Error when the GPU that is
/// asked for is not here; both say what can be done.
Device parse_device(const std::string& text);

}  // namespace headroom::session
