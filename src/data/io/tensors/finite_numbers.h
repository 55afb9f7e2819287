#pragma once

#include <string>

#include "data/io/tensors/tensor_data.h"

namespace headroom::io {

/// Throws InputError, which names `source` (the file), the tensor and the first element at fault, and ends
/// with `way_out`, unless all numbers are finite as float32.
void require_finite(const TensorMap& tensors, const std::string& source, const std::string& way_out);

}  // namespace headroom::io
