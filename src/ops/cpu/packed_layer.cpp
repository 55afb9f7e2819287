#include "ops/cpu/packed_layer.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace headroom::ops::cpu {
namespace {

constexpr float kLargestInteger = 127.0F;

/// To nearest even.
float rounded_to_bfloat16(float number) {
  const auto bits = std::bit_cast<std::uint32_t>(number);
  return std::bit_cast<float>((bits + 0x7FFFU + ((bits >> 16) & 1U)) & 0xFFFF0000U);
}

std::vector<float> copy_padded(const float* numbers, std::int64_t count, std::int64_t padded) {
  std::vector<float> copy(static_cast<std::size_t>(padded));
  std::copy_n(numbers, count, copy.begin());
  return copy;
}

}  // namespace

PackedLayer::PackedLayer(const PlainLayer& plain, Precision precision, const Kernels& kernels)
    : panel_columns_(kernels.panel_columns),
      columns_((plain.out + panel_columns_ - 1) / panel_columns_ * panel_columns_),
      bias_(copy_padded(plain.bias, plain.out, columns_)) {
  layer_.in = plain.in;
  layer_.out = plain.out;
  layer_.precision = precision;
  layer_.activation = plain.activation;
  layer_.bias = bias_.data();
  if (plain.norm_weight != nullptr) {
    norm_weight_ = copy_padded(plain.norm_weight, plain.out, plain.out);
    norm_bias_ = copy_padded(plain.norm_bias, plain.out, plain.out);
    layer_.norm_weight = norm_weight_.data();
    layer_.norm_bias = norm_bias_.data();
  }
  if (precision == Precision::int8) {
    pack_integers(plain);
  } else {
    pack_floats(plain, precision);
  }
}

void PackedLayer::pack_floats(const PlainLayer& plain, Precision precision) {
  panels_.resize(static_cast<std::size_t>(columns_ * plain.in));
  for (std::int64_t column = 0; column < plain.out; ++column) {
    float* const panel = panels_.data() + column / panel_columns_ * panel_columns_ * plain.in;
    for (std::int64_t k = 0; k < plain.in; ++k) {
      const float weight = plain.weight[column * plain.in + k];
      panel[k * panel_columns_ + column % panel_columns_] =
          precision == Precision::bf16 ? rounded_to_bfloat16(weight) : weight;
    }
  }
  layer_.panels = panels_.data();
}

void PackedLayer::pack_integers(const PlainLayer& plain) {
  const std::int64_t pairs = (plain.in + 1) / 2;
  integer_panels_.resize(static_cast<std::size_t>(columns_ * pairs * 2));
  column_scales_.resize(static_cast<std::size_t>(columns_));
  for (std::int64_t column = 0; column < plain.out; ++column) {
    const float* const weights = plain.weight + column * plain.in;
    float largest = 0;
    for (std::int64_t k = 0; k < plain.in; ++k) {
      largest = std::max(largest, std::abs(weights[k]));
    }
    const float scale = largest / kLargestInteger;
    column_scales_[static_cast<std::size_t>(column)] = scale;
    std::int16_t* const panel = integer_panels_.data() + column / panel_columns_ * panel_columns_ * pairs * 2;
    for (std::int64_t k = 0; k < plain.in; ++k) {
      const float integer = scale > 0 ? std::nearbyint(weights[k] / scale) : 0.0F;
      panel[(k / 2 * panel_columns_ + column % panel_columns_) * 2 + k % 2] =
          static_cast<std::int16_t>(integer);
    }
  }
  layer_.integer_panels = integer_panels_.data();
  layer_.column_scales = column_scales_.data();
}

void DenseScratch::reserve(std::int64_t width) {
  const auto numbers = static_cast<std::size_t>(kBlockRows * (width + 1));
  if (product_.size() < numbers) {
    rounded_.resize(numbers * sizeof(float));
    for (std::vector<float>* const part : {&product_, &between_, &gathered_}) {
      part->resize(numbers);
    }
  }
}

DenseScratch& dense_scratch(std::int64_t width) {
  thread_local DenseScratch scratch;
  scratch.reserve(width);
  return scratch;
}

}  // namespace headroom::ops::cpu
