#pragma once

#include <string>

#include "base/core/device.h"

namespace molgauge::runtime {

/// Parses `--device`: "auto" (the first GPU, or the CPU if there is no GPU), "cpu", "cuda" (the first GPU),
/// "cuda:N". Loads LibTorch only if there may be a GPU. Throws UsageError for other texts, and Error if the
/// requested GPU is missing. Both messages contain the remedy.
Device parse_device(const std::string& text);

}  // namespace molgauge::runtime
