#include "base/numerics/ops/equivariant/message_weights.h"

#include <algorithm>

#include "base/numerics/ops/cpu/instruction_level.h"

namespace molgauge::ops {
namespace {

/// The last layer of the network that computes the weights.
struct Layer {
  std::int64_t hidden;
  const float *weight, *bias;
};

SummedWeights pack_for_sums(const TensorProduct& product, const Layer& layer) {
  SummedWeights packed;
  packed.paths = describe_paths(product, layer.hidden,
                                [&](const ProductPath& path) { return !suits_sources(product, path); });
  const std::int64_t hidden = padded(layer.hidden);
  std::int64_t weight_count = 0, bias_count = 0;
  for (const Path& path : packed.paths) {
    const std::int64_t width = padded(path.of->out_channels);
    weight_count += path.of->in_channels * hidden * width;
    bias_count += path.of->in_channels * width;
  }
  packed.weights = Floats::zeros({weight_count});
  packed.bias = Floats::zeros({bias_count});
  for (const Path& path : packed.paths) {
    const std::int64_t channels = path.of->out_channels, whole = unpaired_channels(channels);
    float* to = packed.weights.data() + path.packed_weights;
    float* pairs = to + path.of->in_channels * hidden * whole;
    for (std::int64_t u = 0; u < path.of->in_channels; ++u) {
      const std::int64_t first = path.of->first_weight + u * channels;
      const float* const own = layer.weight + first * layer.hidden;
      cpu::loops().transpose({.count = std::min(whole, channels),
                              .width = layer.hidden,
                              .from = own,
                              .from_row = layer.hidden,
                              .to = to,
                              .to_row = whole});
      for (std::int64_t p = 0; p < layer.hidden; ++p) {
        for (std::int64_t w = whole; w < channels; ++w) {
          pairs[(p / 2 * cpu::kPairedColumns + w - whole) * 2 + p % 2] = own[w * layer.hidden + p];
        }
      }
      to += hidden * whole;
      pairs += whole < channels ? hidden * cpu::kPairedColumns : 0;
      std::copy_n(layer.bias + first, channels, packed.bias.data() + path.packed_bias + u * padded(channels));
    }
  }
  return packed;
}

SourceWeights pack_for_sources(const TensorProduct& product, const Layer& layer) {
  SourceWeights packed;
  packed.paths = describe_paths(product, layer.hidden,
                                [&](const ProductPath& path) { return suits_sources(product, path); });
  const std::int64_t terms = layer.hidden + 1;
  std::int64_t weights = 0, numbers = 0;
  for (Path& path : packed.paths) {
    packed.places.push_back(numbers);
    numbers += path.in_components * room_of(path);
    path.packed_weights = weights;
    weights += path.of->in_channels * padded(terms * room_of(path));
    packed.turns.push_back(path.couplings);
    for (ScaledCoupling& coupling : packed.turns.back()) {
      const std::int64_t number = coupling.first * path.out_components + coupling.third;
      coupling = {0, coupling.second, static_cast<std::int32_t>(number), coupling.value};
    }
  }
  packed.width = padded(numbers);
  packed.weights = Floats::zeros({weights});
  for (const Path& path : packed.paths) {
    const std::int64_t room = room_of(path), columns = padded(terms * room);
    for (std::int64_t u = 0; u < path.of->in_channels; ++u) {
      float* const to = packed.weights.data() + path.packed_weights + u * columns;
      const std::int64_t first = path.of->first_weight + u * path.of->out_channels;
      cpu::loops().transpose({.count = path.of->out_channels,
                              .width = layer.hidden,
                              .from = layer.weight + first * layer.hidden,
                              .from_row = layer.hidden,
                              .to = to,
                              .to_row = room});
      std::copy_n(layer.bias + first, path.of->out_channels, to + layer.hidden * room);
    }
  }
  return packed;
}

}  // namespace

bool suits_sources(const TensorProduct& product, const ProductPath& path) {
  const std::int64_t in = product.in().blocks()[path.in].components(),
                     out = product.out().blocks()[path.out].components();
  return in < out && path.out_channels * in <= path.in_channels * out;
}

std::int64_t unpaired_channels(std::int64_t channels) {
  const std::int64_t left = channels % cpu::kProductColumns;
  return left > 0 && left <= cpu::kPairedColumns ? channels - left : padded(channels);
}

std::int64_t room_of(const Path& path) {
  return (path.of->out_channels + cpu::kGroupColumns - 1) / cpu::kGroupColumns * cpu::kGroupColumns;
}

MessageWeights::MessageWeights(const TensorProduct& product, std::int64_t hidden, const float* weight,
                               const float* bias)
    : of_sums(pack_for_sums(product, {hidden, weight, bias})),
      of_sources(pack_for_sources(product, {hidden, weight, bias})) {}

}  // namespace molgauge::ops
