#include "base/numerics/ops/cpu/packed_layer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string>

#include "base/core/error.h"

namespace molgauge::ops::cpu {
namespace {

constexpr float kLargestInteger = 127.0F;

/// Rounds to bfloat16, to nearest even. Returns the bits of the result.
std::uint32_t bfloat16_bits(float number) {
  const auto bits = std::bit_cast<std::uint32_t>(number);
  return (bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16;
}

Group group_of(Precision precision, const Kernels& kernels) {
  return precision == Precision::fp32   ? Group::one_float32
         : precision == Precision::bf16 ? kernels.bf16_group
                                        : kernels.int8_group;
}

std::int64_t ceiling(std::int64_t count, std::int64_t size) { return (count + size - 1) / size; }

/// Returns the number of groups in a padded column of `in` numbers. The padding makes it possible to divide
/// the column into equal steps of at most `longest_step` groups.
std::int64_t groups_of(std::int64_t in, Group group, std::int64_t longest_step) {
  const std::int64_t groups = ceiling(in, numbers_in(group));
  if (group == Group::one_float32 || groups == 0) {
    return groups;
  }
  const std::int64_t steps = ceiling(groups, longest_step);
  return steps * ceiling(groups, steps);
}

/// Throws if a weight is not finite, because rounding to bfloat16 or to integers could make it finite. In
/// fp32, weights are not rounded, and the rows that depend on such a weight are reported as failed.
void require_finite(const PlainLayer& plain, Precision precision) {
  if (precision == Precision::fp32) {
    return;
  }
  const std::span weights(plain.weight, static_cast<std::size_t>(plain.in * plain.out));
  if (!std::ranges::all_of(weights, [](float weight) { return std::isfinite(weight); })) {
    throw InputError(
        std::string(
            "the weights of a layer hold a number that is not finite, so they cannot be rounded to ") +
        to_string(precision) + ". Install the weights again");
  }
}

Floats copy_padded(const float* numbers, std::int64_t count, std::int64_t padded) {
  Floats copy = Floats::zeros({padded});
  std::copy_n(numbers, count, copy.data());
  return copy;
}

}  // namespace

PackedLayer::PackedLayer(const PlainLayer& plain, Precision precision, const Kernels& kernels)
    : panel_columns_(kernels.panel_columns),
      columns_(ceiling(plain.out, panel_columns_) * panel_columns_),
      bias_(copy_padded(plain.bias, plain.out, columns_)),
      group_(group_of(precision, kernels)) {
  if (precision == Precision::fp16 || precision == Precision::tf32) {
    throw std::invalid_argument("PackedLayer: float16 and TF32 are for GPUs");
  }
  require_finite(plain, precision);
  layer_.in = plain.in;
  layer_.out = plain.out;
  layer_.precision = precision;
  layer_.groups = groups_of(plain.in, group_, kernels.longest_step);
  layer_.activation = plain.activation;
  layer_.bias = bias_.data();
  if (plain.norm_weight != nullptr) {
    norm_weight_ = copy_padded(plain.norm_weight, plain.out, plain.out);
    norm_bias_ = copy_padded(plain.norm_bias, plain.out, plain.out);
    layer_.norm_weight = norm_weight_.data();
    layer_.norm_bias = norm_bias_.data();
  }
  panels_ = Array<std::uint32_t>::zeros({columns_ * layer_.groups});
  layer_.panels = panels_.data();
  if (precision == Precision::int8) {
    pack_integers(plain);
  } else {
    pack_floats(plain);
  }
}

std::uint64_t PackedLayer::bytes() const {
  std::uint64_t bytes = panels_.bytes() + bias_.bytes();
  for (const Floats* const part : {&column_scales_, &norm_weight_, &norm_bias_}) {
    bytes += part->defined() ? part->bytes() : 0;
  }
  return bytes + (column_starts_.defined() ? column_starts_.bytes() : 0);
}

template <typename Encode>
void PackedLayer::pack_column(std::int64_t column, const Encode& encode) {
  const std::int64_t numbers = numbers_in(group_), bits = 32 / numbers;
  std::uint32_t* const panel = panels_.data() + column / panel_columns_ * panel_columns_ * layer_.groups;
  for (std::int64_t k = 0; k < layer_.in; ++k) {
    panel[k / numbers * panel_columns_ + column % panel_columns_] |= encode(k) << (k % numbers * bits);
  }
}

void PackedLayer::pack_floats(const PlainLayer& plain) {
  for (std::int64_t column = 0; column < plain.out; ++column) {
    const float* const weights = plain.weight + column * plain.in;
    pack_column(column, [&](std::int64_t k) {
      if (layer_.precision == Precision::fp32) {
        return std::bit_cast<std::uint32_t>(weights[k]);
      }
      const std::uint32_t bits = bfloat16_bits(weights[k]);
      return group_ == Group::one_float32 ? bits << 16 : bits;
    });
  }
}

void PackedLayer::pack_integers(const PlainLayer& plain) {
  const std::uint32_t mask = numbers_in(group_) == 4 ? 0xFFU : 0xFFFFU;
  column_scales_ = Floats::zeros({columns_});
  column_starts_ = Array<std::int32_t>::zeros({columns_});
  for (std::int64_t column = 0; column < plain.out; ++column) {
    const float* const weights = plain.weight + column * plain.in;
    float largest = 0;
    for (std::int64_t k = 0; k < plain.in; ++k) {
      largest = std::max(largest, std::abs(weights[k]));
    }
    const float scale = largest / kLargestInteger;
    column_scales_.data()[column] = scale;
    std::int32_t sum = 0;
    pack_column(column, [&](std::int64_t k) {
      const auto integer = static_cast<std::int32_t>(scale > 0 ? std::nearbyint(weights[k] / scale) : 0.0F);
      sum += integer;
      return static_cast<std::uint32_t>(integer) & mask;
    });
    if (group_ == Group::four_bytes) {
      column_starts_.data()[column] = -kByteShift * sum;
    }
  }
  layer_.column_scales = column_scales_.data();
  layer_.column_starts = column_starts_.data();
}

void DenseScratch::reserve(std::int64_t width) {
  const auto numbers = static_cast<std::size_t>(kBlockRows * (width + 1));
  if (rounded_.size() < numbers * sizeof(float)) {
    for (std::vector<float>* const part : {&product_, &between_, &gathered_}) {
      part->resize(numbers);
    }
    rounded_.resize(numbers * sizeof(float));  // resized last, because its size shows whether all arrays were
                                               // resized before memory ran out
  }
}

DenseScratch& dense_scratch(std::int64_t width) {
  thread_local DenseScratch scratch;
  scratch.reserve(width);
  return scratch;
}

}  // namespace molgauge::ops::cpu
