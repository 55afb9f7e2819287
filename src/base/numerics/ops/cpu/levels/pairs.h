#pragma once

#include "base/numerics/ops/cpu/kernels.h"
#include "base/numerics/ops/cpu/levels/vector.h"

namespace molgauge::ops::cpu::MOLGAUGE_LEVEL {

inline constexpr int kPairLanes = kLanes / 2;
static_assert(kPairColumns % kPairLanes == 0);

using Doubles = double __attribute__((vector_size(8 * kPairLanes)));
using Longs = std::int64_t __attribute__((vector_size(8 * kPairLanes)));
// levels/vector.h explains why `aligned` is there twice.
using UnalignedDoubles __attribute__((aligned(8))) =
    double __attribute__((vector_size(8 * kPairLanes), aligned(8), may_alias));

inline Doubles load(const double* from) { return *reinterpret_cast<const UnalignedDoubles*>(from); }
inline void store(double* to, Doubles numbers) { *reinterpret_cast<UnalignedDoubles*>(to) = numbers; }

inline double sum_of(Doubles numbers) {
  double sum = 0;
  for (int lane = 0; lane < kPairLanes; ++lane) {
    sum += numbers[lane];
  }
  return sum;
}

/// The logarithm of a product of numbers >= 1. The caller moves the exponent of the product to a separate sum
/// before the product overflows.
class LogarithmOfProduct {
 public:
  void multiply(Doubles factor) { product_ *= factor; }
  void set_exponents_aside() {
    const auto bits = (Longs)product_;
    exponents_ += (bits >> kMantissaBits) - kBias;
    product_ = (Doubles)((bits & kMantissa) | (kBias << kMantissaBits));
  }
  double value() const {
    double sum = 0;
    for (int lane = 0; lane < kPairLanes; ++lane) {
      sum += static_cast<double>(exponents_[lane]) * __builtin_log(2.0) + __builtin_log(product_[lane]);
    }
    return sum;
  }

 private:
  static constexpr int kMantissaBits = 52;
  static constexpr std::int64_t kBias = 1023, kMantissa = (std::int64_t{1} << kMantissaBits) - 1;
  Doubles product_ = Doubles{} + 1.0;
  Longs exponents_ = {};
};

/// Four rows and one vector of columns. With w = 1 + growth * decay, a sigmoid is growth * decay / w. Four
/// pairs need only one division: 1 / w of a pair is the inverse of the product of all four w, times the other
/// three w.
struct FourRows {
  const double* growth;
  Doubles sums[kPairRows] = {};

  void take(Doubles decay, double* column_sums, LogarithmOfProduct& logarithm) {
    const Doubles w0 = growth[0] * decay + 1.0, w1 = growth[1] * decay + 1.0;
    const Doubles w2 = growth[2] * decay + 1.0, w3 = growth[3] * decay + 1.0;
    const Doubles first = w0 * w1, second = w2 * w3, all = first * second;
    logarithm.multiply(all);
    const Doubles inverse = 1.0 / all;
    const Doubles inverse_first = inverse * second, inverse_second = inverse * first;
    const Doubles inverses[kPairRows] = {inverse_first * w1, inverse_first * w0, inverse_second * w3,
                                         inverse_second * w2};
    Doubles columns = load(column_sums);
    for (int row = 0; row < kPairRows; ++row) {
      sums[row] += decay * inverses[row];
      columns += growth[row] * inverses[row];
    }
    store(column_sums, columns);
  }
};

inline double preference_pairs(const PreferencePairs& pairs) {
  // The maximum logarithm of the product of all factors in a chunk. The largest double is about exp(709).
  constexpr double kLargestLogarithm = 700.0;
  const double per_step = kPairRows * pairs.largest_softplus;
  const auto steps = static_cast<std::int64_t>(kLargestLogarithm / (per_step > 1.0 ? per_step : 1.0));
  const std::int64_t chunk = (steps > 1 ? steps - 1 : 1) * kPairLanes;
  LogarithmOfProduct logarithm;
  for (std::int64_t row = 0; row < pairs.rows; row += kPairRows) {
    FourRows four{pairs.growth + row};
    for (std::int64_t column = 0; column < pairs.columns;) {
      const std::int64_t left = pairs.columns - column;
      const std::int64_t last = column + (chunk < left ? chunk : left);
      for (; column < last; column += kPairLanes) {
        four.take(load(pairs.decay + column), pairs.column_sums + column, logarithm);
      }
      logarithm.set_exponents_aside();
    }
    for (int i = 0; i < kPairRows; ++i) {
      pairs.row_sums[row + i] += sum_of(four.sums[i]);
    }
  }
  return logarithm.value();
}

}  // namespace molgauge::ops::cpu::MOLGAUGE_LEVEL
