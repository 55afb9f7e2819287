// The kernels of packed layers of the level MOLGAUGE_LEVEL. This file is compiled once for each level, with
// the -m flags of the level.

#include "base/numerics/ops/cpu/kernels.h"
#include "base/numerics/ops/cpu/levels/finish.h"
#include "base/numerics/ops/cpu/levels/product.h"
#include "base/numerics/ops/cpu/levels/rounding.h"

// The macro is defined for the level that multiplies matrices in tile registers.
#ifdef MOLGAUGE_MATRIX_TILES
#include "base/numerics/ops/cpu/levels/matrix_product.h"
#endif

namespace molgauge::ops::cpu::MOLGAUGE_LEVEL {
namespace {

void multiply_integers(const Layer& layer, const float* x, std::int64_t rows, void* rounded, float* product) {
  const std::int64_t padded = layer.groups * kIntegersTogether;
  auto* const integers = static_cast<Rounded*>(rounded);
  float scales[kBlockRows];
  for (std::int64_t row = 0; row < rows; ++row) {
    scales[row] = round_to_integers(x + row * layer.in, layer.in, padded, integers + row * padded);
  }
  const auto* const groups = static_cast<const GroupBits*>(rounded);
#ifdef MOLGAUGE_MATRIX_TILES
  multiply_by_tiles(layer, groups, rows, ByteProducts{scales}, product);
#else
  multiply_groups(layer, groups, IntegerSums{scales}, rows, product);
#endif
}

void multiply_bfloat16(const Layer& layer, const float* x, std::int64_t rows, void* rounded, float* product) {
#if defined(MOLGAUGE_MATRIX_TILES) || defined(MOLGAUGE_BFLOAT16)
  constexpr std::int64_t kTogether = numbers_in(Group::two_bfloat16);
  const std::int64_t padded = layer.groups * kTogether;
  auto* const numbers = static_cast<std::uint16_t*>(rounded);
  for (std::int64_t row = 0; row < rows; ++row) {
    round_to_bfloat16(x + row * layer.in, layer.in, padded, numbers + row * padded);
  }
  const auto* const groups = static_cast<const GroupBits*>(rounded);
#ifdef MOLGAUGE_MATRIX_TILES
  multiply_by_tiles(layer, groups, rows, Bfloat16Products{}, product);
#else
  multiply_groups(layer, groups, Bfloat16Sums{}, rows, product);
#endif
#else
  auto* const numbers = static_cast<float*>(rounded);
  round_to_bfloat16(x, rows * layer.in, numbers);
  multiply(layer, numbers, rows, product);
#endif
}

void dense(const Layer& layer, const float* x, std::int64_t rows, void* rounded, float* product, bool add,
           float* to) {
  switch (layer.precision) {
    case Precision::fp32:
      multiply(layer, x, rows, product);
      break;
    case Precision::bf16:
      multiply_bfloat16(layer, x, rows, rounded, product);
      break;
    case Precision::int8:
      multiply_integers(layer, x, rows, rounded, product);
      break;
    case Precision::fp16:
    case Precision::tf32:
      break;  // packed layers never have this precision
  }
  finish(layer, product, rows, add, to);
}

void normalise(const Layer& layer, const float* x, std::int64_t rows, float* to) {
  finish_rows<Activation::none>(layer, x, rows, /*add=*/false, to);
}

#if defined(MOLGAUGE_MATRIX_TILES) || defined(MOLGAUGE_BFLOAT16)
constexpr Group kBfloat16Group = Group::two_bfloat16;
#else
constexpr Group kBfloat16Group = Group::one_float32;
#endif
#ifdef MOLGAUGE_MATRIX_TILES
constexpr std::int64_t kLongestStep = kMatrixColumns;
#else
constexpr std::int64_t kLongestStep = 1;
#endif

}  // namespace

extern const LayerKernels kLayerKernels;
const LayerKernels kLayerKernels = {.panel_columns = kPanel,
                                    .bf16_group = kBfloat16Group,
                                    .int8_group = kIntegerGroup,
                                    .longest_step = kLongestStep,
                                    .dense = dense,
                                    .normalise = normalise};

}  // namespace molgauge::ops::cpu::MOLGAUGE_LEVEL
