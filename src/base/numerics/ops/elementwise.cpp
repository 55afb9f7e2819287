#include "base/numerics/ops/elementwise.h"

#include <algorithm>
#include <functional>

namespace molgauge::ops {

Floats add(const Floats& a, const Floats& b) {
  Floats sum(a.shape());
  std::transform(a.data(), a.data() + a.count(), b.data(), sum.data(), std::plus<>());
  return sum;
}

Floats scale(const Floats& x, float factor) {
  Floats scaled(x.shape());
  std::transform(x.data(), x.data() + x.count(), scaled.data(),
                 [factor](float number) { return factor * number; });
  return scaled;
}

Floats scale_rows(const Floats& x, const Floats& factors) {
  Floats scaled(x.shape());
  const std::int64_t width = x.width();
  for (std::int64_t row = 0; row < x.size(0); ++row) {
    const float* const from = x.data() + row * width;
    std::transform(from, from + width, scaled.data() + row * width,
                   [factor = factors.data()[row]](float number) { return factor * number; });
  }
  return scaled;
}

Floats join_columns(const Floats& a, const Floats& b) {
  Floats joined{a.size(0), a.width() + b.width()};
  float* to = joined.data();
  for (std::int64_t row = 0; row < a.size(0); ++row) {
    to = std::copy_n(a.data() + row * a.width(), a.width(), to);
    to = std::copy_n(b.data() + row * b.width(), b.width(), to);
  }
  return joined;
}

Floats pair_up(const Floats& a, const Floats& b) {
  Floats pairs{a.size(0), a.width(), 2};
  for (std::int64_t i = 0; i < a.count(); ++i) {
    pairs.data()[2 * i] = a.data()[i];
    pairs.data()[2 * i + 1] = b.data()[i];
  }
  return pairs;
}

Floats mean_over_second(const Floats& x) {
  const std::int64_t middle = x.size(1), width = x.size(2);
  Floats mean{x.size(0), width};
  for (std::int64_t row = 0; row < x.size(0); ++row) {
    const float* const from = x.data() + row * middle * width;
    float* const sum = mean.data() + row * width;
    std::copy_n(from, width, sum);
    for (std::int64_t i = 1; i < middle; ++i) {
      std::transform(sum, sum + width, from + i * width, sum, std::plus<>());
    }
    std::transform(sum, sum + width, sum,
                   [middle](float total) { return total / static_cast<float>(middle); });
  }
  return mean;
}

Floats select_rows(const Floats& table, const Integers& numbers) {
  Floats rows{numbers.count(), table.width()};
  for (std::int64_t row = 0; row < numbers.count(); ++row) {
    std::copy_n(table.data() + numbers.data()[row] * table.width(), table.width(),
                rows.data() + row * table.width());
  }
  return rows;
}

}  // namespace molgauge::ops
