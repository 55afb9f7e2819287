// Loops over edges and numbers of equivariant networks for the level MOLGAUGE_LEVEL. The compiler vectorises
// these loops. The lanes of a vector are edges.

#include <algorithm>
#include <cstdint>
#include <numbers>

#include "base/numerics/ops/cpu/levels/exponential.h"
#include "base/numerics/ops/cpu/levels/vector.h"
#include "base/numerics/ops/cpu/loops.h"

namespace molgauge::ops::cpu::MOLGAUGE_LEVEL {
namespace {

/// Interleaves half of the lanes of a and b, starting with lane kFirst (0 or kLanes / 2). Lane 2 i of the
/// result is a[i + kFirst], and lane 2 i + 1 is b[i + kFirst].
template <int kFirst, int... kLane>
inline Floats interleaved(Floats a, Floats b, std::integer_sequence<int, kLane...> /*lanes*/) {
  return __builtin_shufflevector(a, b, (kLane % 2 * kLanes + kLane / 2 + kFirst)...);
}

inline Floats interleaved_first(Floats a, Floats b) {
  return interleaved<0>(a, b, std::make_integer_sequence<int, kLanes>());
}

inline Floats interleaved_last(Floats a, Floats b) {
  return interleaved<kLanes / 2>(a, b, std::make_integer_sequence<int, kLanes>());
}

/// Transposes a matrix of kLanes rows in place. Each step interleaves row i with row i + kLanes / 2.
inline void transpose(Floats (&rows)[kLanes]) {
#pragma GCC unroll 4
  for (int step = 1; step < kLanes; step *= 2) {
    Floats made[kLanes];
#pragma GCC unroll 8
    for (std::ptrdiff_t row = 0; row < kLanes / 2; ++row) {
      made[2 * row] = interleaved_first(rows[row], rows[row + kLanes / 2]);
      made[2 * row + 1] = interleaved_last(rows[row], rows[row + kLanes / 2]);
    }
#pragma GCC unroll 16
    for (int row = 0; row < kLanes; ++row) {
      rows[row] = made[row];
    }
  }
}

}  // namespace

void path_products(const PathProducts& path, float* products) {
  for (std::int64_t u = 0; u < path.channels; ++u) {
    const float* const rows = path.rows + u * path.in_components * path.stride;
    for (std::int64_t k = 0; k < path.out_components; ++k) {
      std::fill_n(products + (k * path.channels + u) * path.stride, path.edges, 0.0F);
    }
    for (std::int64_t c = 0; c < path.coupling_count; ++c) {
      const ScaledCoupling coupling = path.couplings[c];
      float* const to = products + (coupling.third * path.channels + u) * path.stride;
      const float* const row = rows + coupling.first * path.stride;
      const float* const harmonic = path.harmonics + coupling.second * path.stride;
#pragma omp simd
      for (std::int64_t e = 0; e < path.edges; ++e) {
        to[e] += coupling.value * row[e] * harmonic[e];
      }
    }
  }
}

void path_products_backward(const PathProducts& path, const float* gradient, float* of_rows,
                            float* of_harmonics) {
  for (std::int64_t u = 0; u < path.channels; ++u) {
    const float* const rows = path.rows + u * path.in_components * path.stride;
    float* const own = of_rows + u * path.in_components * path.stride;
    for (std::int64_t c = 0; c < path.coupling_count; ++c) {
      const ScaledCoupling coupling = path.couplings[c];
      const float* const of_product = gradient + (coupling.third * path.channels + u) * path.stride;
      const float* const row = rows + coupling.first * path.stride;
      const float* const harmonic = path.harmonics + coupling.second * path.stride;
      float* const of_row = own + coupling.first * path.stride;
      float* const of_harmonic = of_harmonics + coupling.second * path.stride;
#pragma omp simd
      for (std::int64_t e = 0; e < path.edges; ++e) {
        const float slope = coupling.value * of_product[e];
        of_row[e] += slope * harmonic[e];
        of_harmonic[e] += slope * row[e];
      }
    }
  }
}

void silu(std::size_t count, const float* values, float* to) {
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i) {
    const float x = values[i], shrunk = exponential(x < 0 ? x : -x);
    to[i] = x * (x < 0 ? shrunk : 1.0F) / (1.0F + shrunk);
  }
}

void exponentials(std::size_t count, float factor, const float* values, float* to) {
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i) {
    to[i] = exponential(factor * values[i]);
  }
}

void sigmoid(std::size_t count, const float* values, float* to) {
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i) {
    const float x = values[i], shrunk = exponential(x < 0 ? x : -x);
    to[i] = (x < 0 ? shrunk : 1.0F) / (1.0F + shrunk);
  }
}

/// Subtracts the nearest multiple n pi of pi, and evaluates the Taylor series of sin() up to the seventeenth
/// power. The error of the series is 5e-14. If n is odd, the sign changes.
void sine(std::size_t count, double* numbers) {
  // pi, as a sum of two numbers. The product of the first number and a whole number below 2^20 is exact.
  constexpr double kPiFirst = 3.1415926534682512, kPiRest = 1.2154201013012384e-10;
  // Adding 1.5 x 2^52 to a number and subtracting it again rounds the number to a whole number.
  constexpr double kRounding = 6755399441055744.0;
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i) {
    const double n = numbers[i] * std::numbers::inv_pi + kRounding - kRounding;
    const double odd = n - 2 * (n / 2 + kRounding - kRounding);
    const double x = (numbers[i] - n * kPiFirst) - n * kPiRest, y = x * x;
    double sum = 1.0 / 355687428096000;
    sum = sum * y - 1.0 / 1307674368000;
    sum = sum * y + 1.0 / 6227020800;
    sum = sum * y - 1.0 / 39916800;
    sum = sum * y + 1.0 / 362880;
    sum = sum * y - 1.0 / 5040;
    sum = sum * y + 1.0 / 120;
    sum = sum * y - 1.0 / 6;
    numbers[i] = (1 - 2 * odd * odd) * (x + x * y * sum);
  }
}

void silu_backward(std::size_t count, const float* values, float* gradient) {
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i) {
    const float x = values[i], shrunk = exponential(x < 0 ? x : -x);
    const float sigmoid = (x < 0 ? shrunk : 1.0F) / (1.0F + shrunk);
    gradient[i] *= sigmoid * (1.0F + x * (1.0F - sigmoid));
  }
}

namespace {

/// Copies kTogether numbers at a time. The width must be a multiple of kTogether.
template <int kTogether>
inline void copy_rows_by(const RowCopy& copy) {
  for (std::int64_t i = 0; i < copy.count; ++i) {
    const float* const from = copy.from + i * copy.from_row;
    float* const to = copy.to + i * copy.to_row;
    for (std::int64_t k = 0; k < copy.width; k += kTogether) {
#pragma omp simd
      for (int lane = 0; lane < kTogether; ++lane) {
        to[k + lane] = from[k + lane];
      }
    }
  }
}

}  // namespace

void copy_rows(const RowCopy& copy) {
  if (copy.width % 16 == 0) {
    copy_rows_by<16>(copy);
  } else if (copy.width % 8 == 0) {
    copy_rows_by<8>(copy);
  } else {
    copy_rows_by<1>(copy);
  }
}

namespace {

/// Transposes a block of kLanes rows and kLanes columns.
inline void transpose_block(const Transposition& t, std::int64_t first_row, std::int64_t first_column) {
  Floats rows[kLanes];  // NOLINT(modernize-avoid-c-arrays): the linker could merge functions of std::array
#pragma GCC unroll 16
  for (int i = 0; i < kLanes; ++i) {
    const std::int64_t row = first_row + i;
    rows[i] =
        load(t.from + (t.from_numbers == nullptr ? row : t.from_numbers[row]) * t.from_row + first_column);
  }
  transpose(rows);
#pragma GCC unroll 16
  for (int i = 0; i < kLanes; ++i) {
    store(t.to + (first_column + i) * t.to_row + first_row, rows[i]);
  }
}

/// Returns the start of a block of kLanes numbers. `count` must be at least kLanes. If `count` is not a
/// multiple of kLanes, the last block overlaps the block before it.
inline std::int64_t first_of_block(std::int64_t first, std::int64_t count) {
  return first + kLanes <= count ? first : count - kLanes;
}

}  // namespace

void transpose(const Transposition& t) {
  if (t.count < kLanes || t.width < kLanes) {
    for (std::int64_t row = 0; row < t.count; ++row) {
      const float* const from = t.from + (t.from_numbers == nullptr ? row : t.from_numbers[row]) * t.from_row;
      for (std::int64_t k = 0; k < t.width; ++k) {
        t.to[k * t.to_row + row] = from[k];
      }
    }
    return;
  }
  for (std::int64_t row = 0; row < t.count; row += kLanes) {
    for (std::int64_t column = 0; column < t.width; column += kLanes) {
      transpose_block(t, first_of_block(row, t.count), first_of_block(column, t.width));
    }
  }
}

void sum_runs(const RunSums& runs, float* sums) {
  Integers lanes;
  for (int lane = 0; lane < kLanes; ++lane) {
    lanes[lane] = lane;
  }
  const std::int64_t whole = runs.count / kLanes * kLanes;
  const Integers is_counted = lanes < static_cast<std::int32_t>(runs.count - whole);
  for (std::int64_t row = 0; row < runs.rows; ++row) {
    const float* const numbers = runs.numbers + row * runs.stride;
    auto sum = reinterpret_cast<Floats>(load_integers(numbers + whole) & is_counted);
    for (std::int64_t i = 0; i < whole; i += kLanes) {
      sum += load(numbers + i);
    }
    sums[row] = sum_of(sum);
  }
}

}  // namespace molgauge::ops::cpu::MOLGAUGE_LEVEL
