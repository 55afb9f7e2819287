#pragma once

#include <string>

#include "core/device.h"

namespace headroom::session {

/// Reads `--device`: "auto" (the first GPU, else the CPU), "cpu", "cuda" (the first GPU), "cuda:N". LibTorch
/// is only loaded if there may be a GPU. Throws UsageError on any other text, and Error if the requested GPU
/// is missing. Both messages contain the fix.
Device parse_device(const std::string& text);

}  // namespace headroom::session
