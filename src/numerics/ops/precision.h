#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace headroom::ops {

/// The precision of products. Sums, biases, normalisation and activations are float32 in any case.
enum class Precision {
  fp32,
  bf16,  ///< weights and inputs rounded to bfloat16
  int8,  ///< weights as 8 bits with a scale for each output, inputs with a scale for each row
  fp16,  ///< weights and inputs rounded to float16; on a GPU alone
};

const char* to_string(Precision precision);

/// Reads `--precision` of the CPU: "fp32", "bf16", "int8". Throws UsageError, listing these and "fast", on
/// any other text.
Precision parse_precision(const std::string& text);

/// Time of one thread for a layer on a block of rows.
struct PrecisionTime {
  Precision precision;
  double seconds;
};

/// The times of all precisions, with the kernels in use, for a layer of this many inputs and outputs:
/// measured in a few milliseconds at the first call with this width.
const std::vector<PrecisionTime>& precision_times(std::int64_t width);

/// Whether the CPU kernels in use multiply bfloat16; otherwise they multiply rounded numbers in float32.
bool kernels_multiply_bf16();

/// `--precision fast` on the CPU: the quickest precision for layers of this width. A lower precision must be
/// quicker than the one before it by a fifth, so that noise does not change the choice.
Precision fastest_precision(std::int64_t width);

}  // namespace headroom::ops
