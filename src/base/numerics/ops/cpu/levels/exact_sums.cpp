// These loops do not use fused multiply-adds, so each product is rounded before it is added. Every level
// therefore gives the same sums.

#include <algorithm>

#include "base/numerics/ops/cpu/loops.h"

namespace molgauge::ops::cpu::MOLGAUGE_LEVEL {
namespace {

// levels/vector.h explains why `aligned` is there twice.
using Lanes __attribute__((aligned(8))) = double __attribute__((vector_size(64), aligned(8)));
constexpr std::size_t kLanes = sizeof(Lanes) / sizeof(double);
static_assert(2 * kLanes == kSideBySide);

/// Number of rows and targets that are processed together. A strip of the rows fits in the first cache, and
/// the sums of the targets in registers.
constexpr std::size_t kRowsAtOnce = 128, kTargetsAtOnce = 4;

/// Adds a strip of `count` rows with kLanes columns to the sums of `targets` targets.
template <std::size_t targets>
void add_strip(const Multiples& of, const double* factors, const double* strip, std::size_t count,
               double* sums) {
  Lanes own[targets];
  for (std::size_t target = 0; target < targets; ++target) {
    own[target] = *reinterpret_cast<const Lanes*>(sums + target * of.stride);
  }
  for (std::size_t row = 0; row < count; ++row) {
    const Lanes numbers = *reinterpret_cast<const Lanes*>(strip + row * kLanes);
    for (std::size_t target = 0; target < targets; ++target) {
      own[target] += factors[target * of.to_next_target + row * of.to_next_row] * numbers;
    }
  }
  for (std::size_t target = 0; target < targets; ++target) {
    *reinterpret_cast<Lanes*>(sums + target * of.stride) = own[target];
  }
}

}  // namespace

void add_multiples(const Multiples& of);
void multiply_lower(std::size_t width, const double* lower, const double* columns, double* products);

void add_multiples(const Multiples& of) {
  alignas(sizeof(Lanes)) double strip[kRowsAtOnce * kLanes];
  for (std::size_t first = 0; first < of.count; first += kRowsAtOnce) {
    const std::size_t count = std::min(kRowsAtOnce, of.count - first);
    const double* const factors = of.factors + first * of.to_next_row;
    const double* const rows = of.rows + first * of.stride;
    std::size_t column = 0;
    for (; column + kLanes <= of.width; column += kLanes) {
      for (std::size_t row = 0; row < count; ++row) {
        std::copy_n(rows + row * of.stride + column, kLanes, strip + row * kLanes);
      }
      std::size_t target = 0;
      for (; target + kTargetsAtOnce <= of.targets; target += kTargetsAtOnce) {
        add_strip<kTargetsAtOnce>(of, factors + target * of.to_next_target, strip, count,
                                  of.sums + target * of.stride + column);
      }
      for (; target < of.targets; ++target) {
        add_strip<1>(of, factors + target * of.to_next_target, strip, count,
                     of.sums + target * of.stride + column);
      }
    }
    for (std::size_t target = 0; target < of.targets; ++target) {
      for (std::size_t row = 0; row < count; ++row) {
        const double factor = factors[target * of.to_next_target + row * of.to_next_row];
        for (std::size_t i = column; i < of.width; ++i) {
          of.sums[target * of.stride + i] += factor * rows[row * of.stride + i];
        }
      }
    }
  }
}

void multiply_lower(std::size_t width, const double* lower, const double* columns, double* products) {
  for (std::size_t first = 0; first < width; first += kTargetsAtOnce) {
    const std::size_t last = std::min(width, first + kTargetsAtOnce) - 1;
    Lanes sums[kTargetsAtOnce][2] = {};
    for (std::size_t k = 0; k <= last; ++k) {  // the numbers above the diagonal are zero
      const auto* const own = reinterpret_cast<const Lanes*>(columns + k * kSideBySide);
      for (std::size_t i = 0; i < kTargetsAtOnce; ++i) {
        const double factor = lower[std::min(first + i, last) * width + k];
        sums[i][0] += factor * own[0];
        sums[i][1] += factor * own[1];
      }
    }
    for (std::size_t i = first; i <= last; ++i) {
      auto* const to = reinterpret_cast<Lanes*>(products + i * kSideBySide);
      to[0] = sums[i - first][0];
      to[1] = sums[i - first][1];
    }
  }
}

}  // namespace molgauge::ops::cpu::MOLGAUGE_LEVEL
