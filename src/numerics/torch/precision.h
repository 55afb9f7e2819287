#pragma once

#include <string>

#include <c10/core/Device.h>

#include "numerics/ops/precision.h"

namespace headroom::torch {

/// Reads `--precision` for LibTorch's operators: as ops::parse_precision, but with
/// "fp16", and throws UsageError on int8.
ops::Precision parse_precision(const std::string& text);

/// `--precision fast` on a GPU: bf16 where it has units for it, else fp32.
ops::Precision fastest_precision(c10::Device device);

}  // namespace headroom::torch
