#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace molgauge::ops {

/// The precision of matrix products. Sums, biases, normalisation and activations are always float32.
enum class Precision {
  fp32,
  bf16,  ///< weights and inputs rounded to bfloat16
  int8,  ///< 8-bit weights with a scale for each output, and 8-bit inputs with a scale for each row
  fp16,  ///< weights and inputs rounded to float16; only on a GPU
  tf32,  ///< inputs of products rounded to TF32, which has 10 bits of mantissa; only on a GPU
};

const char* to_string(Precision precision);

/// Parses `--precision` for the CPU: "fp32", "bf16" or "int8". For other texts, throws UsageError that lists
/// the valid names.
Precision parse_precision(const std::string& text);

/// The time that one thread needs to apply a layer to a block of rows.
struct PrecisionTime {
  Precision precision;
  double seconds;
};

/// The time of each precision for a layer with `width` inputs and outputs, measured with the kernels in use.
/// The first call for a width measures the times, which takes a few milliseconds.
const std::vector<PrecisionTime>& precision_times(std::int64_t width);

/// Whether the CPU kernels in use multiply bfloat16. If not, they multiply rounded numbers in float32.
bool kernels_multiply_bf16();

/// Implements `--precision fast` on the CPU: the fastest precision for layers of this width. A lower
/// precision must be at least a fifth faster than the next higher one, because measurements are noisy.
Precision fastest_precision(std::int64_t width);

}  // namespace molgauge::ops
