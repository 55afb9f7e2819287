#pragma once

#include <string>

#include <c10/core/Device.h>

#include "base/numerics/ops/precision.h"

namespace molgauge::torch {

/// Parses `--precision` for LibTorch operators: "fp32", "tf32", "bf16" or "fp16". Throws UsageError for other
/// texts, including int8.
ops::Precision parse_precision(const std::string& text);

/// `--precision fast` on a GPU: bf16 if the GPU has units for it, else fp32.
ops::Precision fastest_precision(c10::Device device);

}  // namespace molgauge::torch
