#include "base/numerics/ops/dense.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/numerics/ops/cpu/instruction_level.h"

namespace molgauge::ops {
namespace {

constexpr float kNormEpsilon = 1e-5F;

std::shared_ptr<const cpu::PackedLayer> pack(const Linear& linear, const LayerNorm& normalization,
                                             Activation activation, Precision precision) {
  if (!linear.weight.defined()) {
    return nullptr;
  }
  return std::make_shared<const cpu::PackedLayer>(cpu::PlainLayer{.in = linear.weight.size(1),
                                                                  .out = linear.weight.size(0),
                                                                  .weight = linear.weight.data(),
                                                                  .bias = linear.bias.data(),
                                                                  .norm_weight = normalization.weight.data(),
                                                                  .norm_bias = normalization.bias.data(),
                                                                  .activation = activation},
                                                  precision, cpu::kernels());
}

/// Sums term(number) in a few independent partial sums, because the CPU can add to several sums at the same
/// time.
template <typename Term>
float sum_over(const float* numbers, std::int64_t count, const Term& term) {
  std::array<float, 8> parts = {};
  constexpr auto kParts = static_cast<std::int64_t>(parts.size());
  float sum = 0;
  std::int64_t i = 0;
  for (; i + kParts <= count; i += kParts) {
    for (std::size_t part = 0; part < parts.size(); ++part) {
      parts[part] += term(numbers[i + static_cast<std::int64_t>(part)]);
    }
  }
  for (; i < count; ++i) {
    sum += term(numbers[i]);
  }
  return std::accumulate(parts.begin(), parts.end(), sum);
}

}  // namespace

Dense::Dense(const Linear& linear, Activation activation, Precision precision)
    : packed_(pack(linear, {}, activation, precision)) {}

Dense::Dense(const Linear& linear, const LayerNorm& normalization, Activation activation, Precision precision)
    : packed_(pack(linear, normalization, activation, precision)) {}

Floats Dense::operator()(const Floats& x) const {
  const cpu::Layer& layer = packed();
  std::vector<std::int64_t> shape = x.shape();
  shape.back() = layer.out;
  Floats y(std::move(shape));
  for_row_blocks(x.rows(), [&](std::int64_t first, std::int64_t rows) {
    cpu::DenseScratch& scratch = cpu::dense_scratch(std::max(layer.in, layer.out));
    cpu::kernels().dense(layer, x.data() + first * layer.in, rows, scratch.rounded(), scratch.product(),
                         /*add=*/false, y.data() + first * layer.out);
  });
  return y;
}

Floats apply(const LayerNorm& normalization, const Floats& x) {
  Floats y(x.shape());
  const std::int64_t width = x.width();
  const auto count = static_cast<float>(width);
  for (std::int64_t row = 0; row < x.rows(); ++row) {
    const float* const from = x.data() + row * width;
    float* const to = y.data() + row * width;
    const float mean = sum_over(from, width, [](float number) { return number; }) / count;
    const float squares =
        sum_over(from, width, [mean](float number) { return (number - mean) * (number - mean); });
    const float scale = 1.0F / std::sqrt(squares / count + kNormEpsilon);
    for (std::int64_t i = 0; i < width; ++i) {
      to[i] = (from[i] - mean) * scale * normalization.weight.data()[i] + normalization.bias.data()[i];
    }
  }
  return y;
}

}  // namespace molgauge::ops
