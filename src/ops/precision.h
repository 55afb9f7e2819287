#pragma once

#include <string>
#include <vector>

namespace headroom::ops {

/// What products are computed in. Sums, biases, normalisation and activations are float32 in any case.
enum class Precision {
  fp32,
  bf16,  ///< weights and what they meet rounded to bfloat16
  int8,  ///< weights to 8 bits with a scale for each output, what they meet with a scale for each row
};

const char* to_string(Precision precision);

/// Reads `--precision`: "fp32", "bf16", "int8". Throws UsageError, listing these and "fast", on any other
/// text.
Precision parse_precision(const std::string& text);

/// Time of one thread for a layer of MiniMol on a block of rows.
struct PrecisionTime {
  Precision precision;
  double seconds;
};

/// Every precision's time with the kernels in use, measured in a few milliseconds at the first call.
const std::vector<PrecisionTime>& precision_times();

/// Whether the CPU kernels in use multiply in bfloat16, not rounded numbers in float32.
bool kernels_multiply_bf16();

/// `--precision fast` on the CPU: the quickest of them, which is fp32 unless bf16 is quicker by a fifth, and
/// neither unless int8 is: noise does not make up for that, and whoever asks again gets the same.
Precision fastest_precision();

}  // namespace headroom::ops
