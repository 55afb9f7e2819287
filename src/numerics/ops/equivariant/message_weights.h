#pragma once

#include <cstdint>
#include <vector>

#include "numerics/ops/array.h"
#include "numerics/ops/equivariant/message_paths.h"

/// The weights of messages as the products over edges and nodes read them.
namespace headroom::ops {

/// Whether a path costs less where its weights are applied to the sources (source_messages.h).
bool suits_sources(const TensorProduct& product, const ProductPath& path);

/// Those of the paths that are applied to sums over edges, with zeros up to whole vectors.
struct SummedWeights {
  std::vector<Path> paths;
  /// Each path's begin at packed_weights: [channel, hidden, unpaired output] and behind it
  /// [channel, hidden / 2, kPairedColumns, 2].
  Floats weights;
  Floats bias;  ///< each path's begin at packed_bias: [channel, output]
};

/// Output channels that are multiplied in whole vectors; the others are kPairedColumns at most.
std::int64_t unpaired_channels(std::int64_t channels);

/// Those of the paths that are applied to sources.
struct SourceWeights {
  std::vector<Path> paths;
  /// Each path's begin at packed_weights: [input channel, term, room_of(path)]. The terms are the radial
  /// numbers and a 1 for the bias.
  Floats weights;
  std::vector<std::int64_t> places;  ///< where a path's numbers begin in those of an edge
  std::int64_t width = 0;            ///< numbers of an edge, up to whole vectors
  /// Each path's couplings (i, j, k) as those of a number with the harmonic j to number i, k.
  std::vector<std::vector<ScaledCoupling>> turns;
};

/// Numbers that a component of a path has room for, so that products can be stored where they belong.
std::int64_t room_of(const Path& path);

/// Both for all paths of a product, which outlives them.
struct MessageWeights {
  /// `weight` [product.weights(), hidden], `bias` [product.weights()].
  MessageWeights(const TensorProduct& product, std::int64_t hidden, const float* weight, const float* bias);

  SummedWeights of_sums;
  SourceWeights of_sources;
};

}  // namespace headroom::ops
