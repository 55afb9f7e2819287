// The kernels of the level HEADROOM_LEVEL: compiled once for each, with its -m flags.

#include "ops/cpu/kernels.h"

#include "ops/cpu/levels/finish.h"
#include "ops/cpu/levels/pairs.h"
#include "ops/cpu/levels/product.h"
#include "ops/cpu/levels/rounding.h"
#include "ops/cpu/levels/rows.h"

namespace headroom::ops::cpu::HEADROOM_LEVEL {
namespace {

void multiply_rounded(const Layer& layer, const float* x, std::int64_t rows, void* rounded, float* product) {
  auto* const integers = static_cast<std::int16_t*>(rounded);
  float scales[kBlockRows];
  for (std::int64_t row = 0; row < rows; ++row) {
    scales[row] = round_to_integers(x + row * layer.in, layer.in, integers + row * even(layer.in));
  }
  multiply_integers(layer, integers, scales, rows, product);
}

void dense(const Layer& layer, const float* x, std::int64_t rows, void* rounded, float* product, bool add,
           float* to) {
  switch (layer.precision) {
    case Precision::fp32:
      multiply(layer, x, rows, product);
      break;
    case Precision::bf16:
      round_to_bfloat16(x, rows * layer.in, static_cast<float*>(rounded));
      multiply(layer, static_cast<const float*>(rounded), rows, product);
      break;
    case Precision::int8:
      multiply_rounded(layer, x, rows, rounded, product);
      break;
  }
  finish(layer, product, rows, add, to);
}

}  // namespace

extern const Kernels kKernels;
const Kernels kKernels = {.panel_columns = kPanel,
                          .dense = dense,
                          .message_passing = message_passing,
                          .preference_pairs = preference_pairs,
                          .segment_sum = segment_sum,
                          .segment_max = segment_max,
                          .add_to_segments = add_to_segments};

}  // namespace headroom::ops::cpu::HEADROOM_LEVEL
