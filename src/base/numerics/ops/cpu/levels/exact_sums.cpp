// These loops do not use fused multiply-adds, so each product is rounded before it is added. Every level
// therefore gives the same sums.

#include <algorithm>

#include "base/numerics/ops/cpu/levels/pairs.h"
#include "base/numerics/ops/cpu/loops.h"

namespace molgauge::ops::cpu::MOLGAUGE_LEVEL {
namespace {

/// Number of rows and columns of a strip, and of targets that are processed together. A strip fits in the
/// first cache, and the sums of the targets in registers.
constexpr std::size_t kRowsAtOnce = 128, kStrip = 8, kTargetsAtOnce = 4;

/// Number of products that multiply_lower() computes together for kSideBySide vectors. Their sums take half
/// of the registers.
constexpr std::size_t kVectors = kSideBySide / kPairLanes, kProductsAtOnce = kVectors > 8 ? 1 : 8 / kVectors;

/// Adds a strip of `count` rows with kStrip columns to the sums of `targets` targets.
template <std::size_t targets>
void add_strip(const Multiples& of, const double* factors, const double* strip, std::size_t count,
               double* sums) {
  constexpr std::size_t kParts = kStrip / kPairLanes;
  Doubles own[targets][kParts];
#pragma GCC unroll 4
  for (std::size_t target = 0; target < targets; ++target) {
#pragma GCC unroll 4
    for (std::size_t part = 0; part < kParts; ++part) {
      own[target][part] = load(sums + target * of.stride + part * kPairLanes);
    }
  }
  for (std::size_t row = 0; row < count; ++row) {
#pragma GCC unroll 4
    for (std::size_t part = 0; part < kParts; ++part) {
      const Doubles numbers = load(strip + row * kStrip + part * kPairLanes);
#pragma GCC unroll 4
      for (std::size_t target = 0; target < targets; ++target) {
        own[target][part] += factors[target * of.to_next_target + row * of.to_next_row] * numbers;
      }
    }
  }
#pragma GCC unroll 4
  for (std::size_t target = 0; target < targets; ++target) {
#pragma GCC unroll 4
    for (std::size_t part = 0; part < kParts; ++part) {
      store(sums + target * of.stride + part * kPairLanes, own[target][part]);
    }
  }
}

}  // namespace

void add_multiples(const Multiples& of);
void multiply_lower(std::size_t width, const double* lower, const double* columns, double* products);

void add_multiples(const Multiples& of) {
  alignas(64) double strip[kRowsAtOnce * kStrip];
  for (std::size_t first = 0; first < of.count; first += kRowsAtOnce) {
    const std::size_t count = std::min(kRowsAtOnce, of.count - first);
    const double* const factors = of.factors + first * of.to_next_row;
    const double* const rows = of.rows + first * of.stride;
    std::size_t column = 0;
    for (; column + kStrip <= of.width; column += kStrip) {
      for (std::size_t row = 0; row < count; ++row) {
        std::copy_n(rows + row * of.stride + column, kStrip, strip + row * kStrip);
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
  for (std::size_t first = 0; first < width; first += kProductsAtOnce) {
    const std::size_t last = std::min(width, first + kProductsAtOnce) - 1;
    Doubles sums[kProductsAtOnce][kVectors] = {};
    for (std::size_t k = 0; k <= last; ++k) {  // the numbers above the diagonal are zero
      const double* const own = columns + k * kSideBySide;
#pragma GCC unroll 4
      for (std::size_t i = 0; i < kProductsAtOnce; ++i) {
        const double factor = lower[std::min(first + i, last) * width + k];
#pragma GCC unroll 8
        for (std::size_t vector = 0; vector < kVectors; ++vector) {
          sums[i][vector] += factor * load(own + vector * kPairLanes);
        }
      }
    }
#pragma GCC unroll 4
    for (std::size_t i = 0; i < kProductsAtOnce; ++i) {
#pragma GCC unroll 8
      for (std::size_t vector = 0; vector < kVectors; ++vector) {
        if (first + i <= last) {
          store(products + (first + i) * kSideBySide + vector * kPairLanes, sums[i][vector]);
        }
      }
    }
  }
}

}  // namespace molgauge::ops::cpu::MOLGAUGE_LEVEL
