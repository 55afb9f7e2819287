// These loops do not use fused multiply-adds, so each product is rounded before it is added. Every level
// therefore gives the same sums.

#include "base/numerics/ops/cpu/loops.h"

namespace molgauge::ops::cpu::MOLGAUGE_LEVEL {
namespace {

// levels/vector.h explains why `aligned` is there twice.
using Lanes __attribute__((aligned(8))) = double __attribute__((vector_size(64), aligned(8)));
static_assert(2 * sizeof(Lanes) == kSideBySide * sizeof(double));

}  // namespace

void add_products_with(std::size_t i, const double* rows, std::size_t count, std::size_t width,
                       double* __restrict sums);
void squared_lengths(std::size_t width, const double* lower, const double* columns, double* squares);

/// Adds to sums[j] the sum over the rows of row[i] row[j], for each j >= i. The rows are added in their
/// order.
void add_products_with(std::size_t i, const double* rows, std::size_t count, std::size_t width,
                       double* __restrict sums) {
  std::size_t row = 0;
  for (; row + 4 <= count; row += 4) {
    const double *const a = rows + row * width, *const b = a + width, *const c = b + width,
                        *const d = c + width;
    for (std::size_t j = i; j < width; ++j) {
      sums[j] = sums[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + d[i] * d[j];
    }
  }
  for (; row < count; ++row) {
    const double* const own = rows + row * width;
    for (std::size_t j = i; j < width; ++j) {
      sums[j] += own[i] * own[j];
    }
  }
}

void squared_lengths(std::size_t width, const double* lower, const double* columns, double* squares) {
  Lanes low = {}, high = {};
  for (std::size_t i = 0; i < width; ++i) {
    Lanes low_sum = {}, high_sum = {};
    for (std::size_t k = 0; k <= i; ++k) {
      const double factor = lower[i * width + k];
      const auto* const own = reinterpret_cast<const Lanes*>(columns + k * kSideBySide);
      low_sum += factor * own[0];
      high_sum += factor * own[1];
    }
    low += low_sum * low_sum;
    high += high_sum * high_sum;
  }
  auto* const to = reinterpret_cast<Lanes*>(squares);
  to[0] = low;
  to[1] = high;
}

}  // namespace molgauge::ops::cpu::MOLGAUGE_LEVEL
