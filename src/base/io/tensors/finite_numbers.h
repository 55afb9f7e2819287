#pragma once

#include <string>

#include "base/io/tensors/tensor_data.h"

namespace molgauge::io {

/// Checks that all numbers are finite as float32. Otherwise throws InputError, which names `source` (the
/// file), the tensor and the first invalid element, and ends with `remedy`.
void require_finite(const TensorMap& tensors, const std::string& source, const std::string& remedy);

}  // namespace molgauge::io
