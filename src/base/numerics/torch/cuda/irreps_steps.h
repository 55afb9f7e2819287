#pragma once

#include <cmath>
#include <cstdint>

#include "base/numerics/ops/everywhere.h"
#include "base/numerics/torch/cuda/row_and_column.h"

/// The steps and tiles of irreps_kernels.h (launch_steps.h, launch_tiles.h). Pointers are device pointers.
namespace molgauge::torch::cuda {

/// A block of the input and a block of the output of a linear layer of irreps, both of the same kind.
struct MixedBlocks {
  const float *rows, *weight;               ///< input of the layer, and weights of the pair
  std::int64_t from_width;                  ///< width of the input rows
  std::int32_t from, to;                    ///< first columns of the blocks
  std::int32_t from_channels, to_channels;  ///< channels of the blocks
  std::int32_t from_step, to_step;          ///< distances of the weights of adjacent channels
  std::int32_t components;
  float scale;  ///< factor of the weights
};

/// Mixes the channels of blocks of the same kind, for several outputs [n, width]. A step computes one number.
/// With `from` and `to` exchanged, this is also the gradient of the input.
struct ChannelMix {
  static constexpr int kMaxPairs = 32, kMaxOutputs = 3;

  struct Output {
    float* numbers;
    std::int64_t width;
    int end;  ///< number of pairs of this output and all outputs before it
  };

  MixedBlocks pairs[kMaxPairs];
  Output outputs[kMaxOutputs];
  std::int64_t all_width;  ///< sum of the widths of the outputs

  MOLGAUGE_EVERYWHERE void operator()(std::int64_t i) const {
    auto [row, column] = RowAndColumn::of(i, all_width);
    int o = 0;
    while (column >= outputs[o].width) {
      column -= outputs[o++].width;
    }
    float sum = 0;
    for (int p = o == 0 ? 0 : outputs[o - 1].end; p < outputs[o].end; ++p) {
      const MixedBlocks& pair = pairs[p];
      const std::int64_t own = column - pair.to;
      if (own < 0 || own >= std::int64_t{pair.to_channels} * pair.components) {
        continue;
      }
      const std::int64_t channel = own / pair.components, component = own % pair.components;
      const float* const from = pair.rows + row * pair.from_width + pair.from + component;
      const float* const factors = pair.weight + channel * pair.to_step;
      float part = 0;
      for (std::int64_t u = 0; u < pair.from_channels; ++u) {
        part += factors[u * pair.from_step] * from[u * pair.components];
      }
      sum += pair.scale * part;
    }
    outputs[o].numbers[row * outputs[o].width + column] = sum;
  }
};

/// The gradients of the weights of ChannelMix. A tile computes kWeights gradients, and kLanes threads share a
/// gradient.
struct MixGradients {
  static constexpr int kWeights = 8, kLanes = 32, kThreads = kWeights * kLanes;

  struct Pair {
    const float* gradient;  ///< of the output [n, to_width]
    std::int64_t to_width;
    float* of_weight;
    std::int64_t end;  ///< number of weights of this pair and all pairs before it
  };
  struct Shared {
    float sums[kWeights][kLanes + 1];
  };
  struct Own {};

  MixedBlocks pairs[ChannelMix::kMaxPairs];
  Pair own[ChannelMix::kMaxPairs];
  std::int64_t n, weights;

  /// A weight: its pair, and its place among the weights of the pair.
  struct Weight {
    int pair;
    std::int64_t place;
  };
  MOLGAUGE_EVERYWHERE Weight weight(std::int64_t index) const {
    int p = 0;
    while (index >= own[p].end) {
      ++p;
    }
    return {p, index - (p == 0 ? 0 : own[p - 1].end)};
  }
  MOLGAUGE_EVERYWHERE std::int64_t tiles() const { return (weights + kWeights - 1) / kWeights; }
  MOLGAUGE_EVERYWHERE int rounds(std::int64_t /*tile*/) const { return 1; }

  MOLGAUGE_EVERYWHERE void load(std::int64_t tile, int /*round*/, int thread, Shared& to) const {
    const int slot = thread / kLanes, lane = thread % kLanes;
    const std::int64_t index = tile * kWeights + slot;
    if (index >= weights) {
      return;
    }
    const auto [p, place] = weight(index);
    const MixedBlocks& pair = pairs[p];
    const std::int64_t u = place / pair.to_channels, w = place % pair.to_channels;
    float sum = 0;
    for (std::int64_t row = lane; row < n; row += kLanes) {
      const float* const x = pair.rows + row * pair.from_width + pair.from + u * pair.components;
      const float* const y = own[p].gradient + row * own[p].to_width + pair.to + w * pair.components;
      for (std::int32_t m = 0; m < pair.components; ++m) {
        sum += x[m] * y[m];
      }
    }
    to.sums[slot][lane] = pair.scale * sum;
  }
  MOLGAUGE_EVERYWHERE void compute(std::int64_t tile, int /*round*/, int thread, const Shared& from,
                                   Own& /*own*/) const {
    const std::int64_t index = tile * kWeights + thread;
    if (thread >= kWeights || index >= weights) {
      return;
    }
    float sum = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
      sum += from.sums[thread][lane];
    }
    const auto [p, place] = weight(index);
    own[p].of_weight[place] = sum;
  }
};

/// The layout of a row: scalars, followed by blocks of channels with several components.
struct ChannelLayout {
  static constexpr int kMaxBlocks = 8;

  std::int32_t scalars;
  int blocks;
  std::int32_t channels[kMaxBlocks], components[kMaxBlocks];

  /// A channel: its first column and its components. `number` counts the channels after the scalars.
  struct Channel {
    std::int64_t column, number, components;
  };
  /// The channel with this number.
  MOLGAUGE_EVERYWHERE Channel channel(std::int64_t number) const {
    std::int64_t column = scalars, before = 0;
    int b = 0;
    while (b + 1 < blocks && number - before >= channels[b]) {
      column += std::int64_t{channels[b]} * components[b];
      before += channels[b++];
    }
    return {column + (number - before) * components[b], number, components[b]};
  }
  /// The channel that contains a column after the scalars.
  MOLGAUGE_EVERYWHERE Channel channel_at(std::int64_t column) const {
    std::int64_t first = scalars, before = 0;
    int b = 0;
    while (b + 1 < blocks && column - first >= std::int64_t{channels[b]} * components[b]) {
      first += std::int64_t{channels[b]} * components[b];
      before += channels[b++];
    }
    const std::int64_t own = (column - first) / components[b];
    return {first + own * components[b], before + own, components[b]};
  }
  MOLGAUGE_EVERYWHERE std::int64_t count() const {
    std::int64_t sum = 0;
    for (int b = 0; b < blocks; ++b) {
      sum += channels[b];
    }
    return sum;
  }
};

MOLGAUGE_EVERYWHERE inline float sigmoid(float x) { return 1 / (1 + expf(-x)); }

/// The gate of base/numerics/ops/equivariant/layers.h. A row of x has the scalars, a gate for each channel,
/// and the channels.
struct Gate {
  ChannelLayout layout;  ///< of the output
  const float* x;
  std::int64_t in_width, out_width;
  float silu_scale, sigmoid_scale;
  float* out;

  MOLGAUGE_EVERYWHERE void operator()(std::int64_t i) const {
    const auto [row, column] = RowAndColumn::of(i, out_width);
    const float* const own = x + row * in_width;
    if (column < layout.scalars) {
      out[i] = silu_scale * own[column] * sigmoid(own[column]);
      return;
    }
    const std::int64_t number = layout.channel_at(column).number;
    out[i] = sigmoid_scale * sigmoid(own[layout.scalars + number]) * own[column + in_width - out_width];
  }
};

/// The gradient of the input of Gate.
struct GateGradients {
  Gate gate;
  const float* gradient;  ///< [n, out_width]
  float* of_x;            ///< [n, in_width]

  MOLGAUGE_EVERYWHERE void operator()(std::int64_t i) const {
    const auto [row, column] = RowAndColumn::of(i, gate.in_width);
    const std::int64_t scalars = gate.layout.scalars, gates = gate.in_width - gate.out_width;
    const float* const x = gate.x + row * gate.in_width;
    const float* const own = gradient + row * gate.out_width;
    if (column < scalars) {
      const float s = sigmoid(x[column]);
      of_x[i] = own[column] * gate.silu_scale * s * (1 + x[column] * (1 - s));
    } else if (column < scalars + gates) {
      const ChannelLayout::Channel channel = gate.layout.channel(column - scalars);
      float sum = 0;
      for (std::int64_t m = channel.column; m < channel.column + channel.components; ++m) {
        sum += own[m] * x[m + gates];
      }
      const float s = sigmoid(x[column]);
      of_x[i] = gate.sigmoid_scale * s * (1 - s) * sum;
    } else {
      const ChannelLayout::Channel channel = gate.layout.channel_at(column - gates);
      of_x[i] = own[column - gates] * gate.sigmoid_scale * sigmoid(x[scalars + channel.number]);
    }
  }
};

/// The normalisation ops::EquivariantNorm. A step normalises a scalar or a channel of a row.
struct ChannelNorms {
  ChannelLayout layout;
  const float* x;  ///< [n, width]
  const float *weight, *bias;
  std::int64_t width;
  bool is_centred;  ///< subtract the mean of the components of a channel
  float epsilon;
  float* out;

  /// The mean of numbers, and the factor that makes their variance 1.
  struct Scale {
    float mean, factor;
  };
  MOLGAUGE_EVERYWHERE Scale scale_of(const float* numbers, std::int64_t count, bool centred) const {
    float mean = 0, squares = 0;
    if (centred) {
      for (std::int64_t k = 0; k < count; ++k) {
        mean += numbers[k];
      }
      mean /= static_cast<float>(count);
    }
    for (std::int64_t k = 0; k < count; ++k) {
      squares += (numbers[k] - mean) * (numbers[k] - mean);
    }
    return {mean, 1 / sqrtf(squares / static_cast<float>(count) + epsilon)};
  }
  MOLGAUGE_EVERYWHERE std::int64_t parts() const { return layout.scalars + layout.count(); }

  MOLGAUGE_EVERYWHERE void operator()(std::int64_t i) const {
    const auto [row, part] = RowAndColumn::of(i, parts());
    const float* const own = x + row * width;
    float* const to = out + row * width;
    if (part < layout.scalars) {
      const Scale scale = scale_of(own, layout.scalars, true);
      to[part] = (own[part] - scale.mean) * scale.factor * weight[part] + bias[part];
      return;
    }
    const ChannelLayout::Channel channel = layout.channel(part - layout.scalars);
    const Scale scale = scale_of(own + channel.column, channel.components, is_centred);
    for (std::int64_t m = channel.column; m < channel.column + channel.components; ++m) {
      to[m] = (own[m] - scale.mean) * scale.factor;
    }
  }
};

/// The gradients of ChannelNorms.
struct ChannelNormGradients {
  ChannelNorms norm;
  const float* gradient;  ///< [n, width]
  float* of_x;            ///< [n, width]
  float* of_scalars;      ///< [n, 2 scalars]: the terms of the gradients of weight and bias

  MOLGAUGE_EVERYWHERE void operator()(std::int64_t i) const {
    const auto [row, part] = RowAndColumn::of(i, norm.parts());
    const std::int64_t scalars = norm.layout.scalars;
    const float* const x = norm.x + row * norm.width;
    const float* const own = gradient + row * norm.width;
    float* const to = of_x + row * norm.width;
    if (part < scalars) {
      const ChannelNorms::Scale scale = norm.scale_of(x, scalars, true);
      float mean = 0, along = 0;
      for (std::int64_t k = 0; k < scalars; ++k) {
        mean += own[k] * norm.weight[k];
        along += own[k] * norm.weight[k] * (x[k] - scale.mean) * scale.factor;
      }
      const auto count = static_cast<float>(scalars);
      const float y = (x[part] - scale.mean) * scale.factor;
      to[part] = scale.factor * (own[part] * norm.weight[part] - mean / count - y * along / count);
      of_scalars[row * 2 * scalars + part] = own[part] * y;
      of_scalars[row * 2 * scalars + scalars + part] = own[part];
      return;
    }
    const ChannelLayout::Channel channel = norm.layout.channel(part - scalars);
    const std::int64_t begin = channel.column, end = begin + channel.components;
    const auto count = static_cast<float>(channel.components);
    const ChannelNorms::Scale scale = norm.scale_of(x + begin, channel.components, norm.is_centred);
    float along = 0, mean = 0;
    for (std::int64_t m = begin; m < end; ++m) {
      along += own[m] * (x[m] - scale.mean);
      mean += norm.is_centred ? own[m] : 0;
    }
    // The mean of x - scale.mean is 0 if the norm is centred, so only the gradients have to be centred.
    for (std::int64_t m = begin; m < end; ++m) {
      to[m] = scale.factor *
              (own[m] - mean / count - (x[m] - scale.mean) * scale.factor * scale.factor * along / count);
    }
  }
};

/// Computes the spherical harmonics and the radial features of an edge from the positions of its nodes
/// (base/numerics/ops/equivariant/harmonics.h and radial_basis.h). The radial features are followed by the
/// attributes of the edge.
struct EdgeGeometry {
  static constexpr int kMaxFunctions = 32;

  const float* positions;               ///< [n, 3]
  const std::int64_t *source, *target;  ///< [E]
  const float* attributes;              ///< [E, attribute_count]
  std::int64_t attribute_count;
  float frequencies[kMaxFunctions];
  int functions, degree;  ///< degree of the harmonics, at most 2
  float cutoff, least_length;
  float* harmonics;  ///< [E, (degree + 1)^2]
  float* features;   ///< [E, functions + attribute_count]

  MOLGAUGE_EVERYWHERE void operator()(std::int64_t edge) const {
    const float* const from = positions + 3 * source[edge];
    const float* const to = positions + 3 * target[edge];
    const float v[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    const float norm = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const float by = norm > 1e-12F ? norm : 1e-12F;
    write_harmonics(v[0] / by, v[1] / by, v[2] / by, harmonics + edge * (degree + 1) * (degree + 1));

    const float length = norm > least_length ? norm : least_length, r = length > 1e-8F ? length : 1e-8F;
    const float u = length / cutoff, u2 = u * u;
    const float envelope = u < 1 ? 1 + u2 * u2 * u2 * (-28 + u * (48 - 21 * u)) : 0;
    float* const own = features + edge * (functions + attribute_count);
    for (int k = 0; k < functions; ++k) {
      own[k] = sqrtf(2 / cutoff) * sinf(frequencies[k] * r) / r * envelope;
    }
    for (std::int64_t k = 0; k < attribute_count; ++k) {
      own[functions + k] = attributes[edge * attribute_count + k];
    }
  }
  /// The formulas of base/numerics/ops/equivariant/harmonics.h for a unit vector. The polar axis is y.
  MOLGAUGE_EVERYWHERE void write_harmonics(float x, float y, float z, float* own) const {
    own[0] = 1;
    if (degree >= 1) {
      own[1] = 1.7320508F * x;
      own[2] = 1.7320508F * y;
      own[3] = 1.7320508F * z;
    }
    if (degree >= 2) {
      own[4] = 3.8729833F * x * z;
      own[5] = 3.8729833F * x * y;
      own[6] = 2.2360680F * (y * y - (x * x + z * z) / 2);
      own[7] = 3.8729833F * y * z;
      own[8] = 1.9364917F * (z * z - x * x);
    }
  }
};

/// Lists of terms: the terms of atom t are members[first[t]] to members[first[t + 1] - 1].
struct TermList {
  const std::int64_t *first, *members;
  const std::int64_t* atoms;  ///< [terms] the atom whose list contains the term
};

/// For each atom, the mean of the rows of its terms. The result is the mean over several lists.
struct TermMeans {
  static constexpr int kMaxLists = 2;

  TermList lists[kMaxLists];
  int count;
  const float* rows;  ///< [terms, width]
  std::int64_t width;
  float* out;  ///< [atoms, width]

  MOLGAUGE_EVERYWHERE float terms(int list, std::int64_t atom) const {
    const std::int64_t own = lists[list].first[atom + 1] - lists[list].first[atom];
    return static_cast<float>(own > 1 ? own : 1);
  }
  MOLGAUGE_EVERYWHERE void operator()(std::int64_t i) const {
    const auto [atom, k] = RowAndColumn::of(i, width);
    float mean = 0;
    for (int list = 0; list < count; ++list) {
      float sum = 0;
      for (std::int64_t place = lists[list].first[atom]; place < lists[list].first[atom + 1]; ++place) {
        sum += rows[lists[list].members[place] * width + k];
      }
      mean += sum / terms(list, atom);
    }
    out[i] = mean / static_cast<float>(count);
  }
};

/// The gradients of the rows of TermMeans.
struct TermMeanGradients {
  TermMeans means;
  const float* gradient;  ///< [atoms, width]
  float* of_rows;         ///< [terms, width]

  MOLGAUGE_EVERYWHERE void operator()(std::int64_t i) const {
    const auto [term, k] = RowAndColumn::of(i, means.width);
    float sum = 0;
    for (int list = 0; list < means.count; ++list) {
      const std::int64_t atom = means.lists[list].atoms[term];
      sum += gradient[atom * means.width + k] / means.terms(list, atom);
    }
    of_rows[i] = sum / static_cast<float>(means.count);
  }
};

/// Joins the first columns of the rows of both end atoms of each term and its attributes.
struct TermEnds {
  const float* rows;  ///< [atoms, width]
  std::int64_t width, columns;
  const std::int64_t *front, *back;  ///< [terms]
  const float* attributes;           ///< [terms, attribute_count]
  std::int64_t attribute_count;
  float* out;  ///< [terms, 2 columns + attribute_count]

  MOLGAUGE_EVERYWHERE void operator()(std::int64_t i) const {
    const auto [term, k] = RowAndColumn::of(i, 2 * columns + attribute_count);
    out[i] = k < columns       ? rows[front[term] * width + k]
             : k < 2 * columns ? rows[back[term] * width + k - columns]
                               : attributes[term * attribute_count + k - 2 * columns];
  }
};

/// The gradients of the rows of TermEnds.
struct TermEndGradients {
  TermList front, back;
  const float* gradient;  ///< [terms, gradient_width]
  std::int64_t gradient_width, width, columns;
  float* of_rows;  ///< [atoms, width]

  MOLGAUGE_EVERYWHERE void operator()(std::int64_t i) const {
    const auto [atom, k] = RowAndColumn::of(i, width);
    float sum = 0;
    if (k < columns) {
      for (std::int64_t place = front.first[atom]; place < front.first[atom + 1]; ++place) {
        sum += gradient[front.members[place] * gradient_width + k];
      }
      for (std::int64_t place = back.first[atom]; place < back.first[atom + 1]; ++place) {
        sum += gradient[back.members[place] * gradient_width + columns + k];
      }
    }
    of_rows[i] = sum;
  }
};

}  // namespace molgauge::torch::cuda
