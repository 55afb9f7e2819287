#pragma once

#include <string>

namespace headroom::ops {

/// What products are computed in. Sums, biases, normalisation and activations are float32 in any case.
enum class Precision {
  fp32,
  bf16,  ///< weights and what they meet rounded to bfloat16
  int8,  ///< weights to 8 bits with a scale for each output, what they meet with a scale for each row
};

const char* to_string(Precision precision);

}  // namespace headroom::ops
