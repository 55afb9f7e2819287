#pragma once

#include <cstdint>
#include <vector>

#include "base/numerics/ops/array.h"
#include "base/numerics/ops/equivariant/message_paths.h"

/// The weights of messages, packed for the products over edges and nodes.
namespace molgauge::ops {

/// Whether a path costs less if its weights are applied to the sources (message.cpp).
bool suits_sources(const TensorProduct& product, const ProductPath& path);

/// The weights of paths that are applied to sums over edges, padded with zeros to whole vectors.
struct SummedWeights {
  std::vector<Path> paths;
  /// The weights of a path begin at packed_weights: [channel, hidden, unpaired output], followed by [channel,
  /// hidden / 2, kPairedColumns, 2].
  Floats weights;
  Floats bias;  ///< biases of all paths. The biases of a path begin at packed_bias: [channel, output]
};

/// Number of output channels that are multiplied in whole vectors, including padding. Afterwards, at most
/// kPairedColumns channels remain, which paired_product() multiplies.
std::int64_t unpaired_channels(std::int64_t channels);

/// The weights of paths that are applied to sources.
struct SourceWeights {
  std::vector<Path> paths;
  /// The weights of a path begin at its offset `packed_weights` and have the shape
  /// [input channel, term, room_of(path)]. The terms are the radial numbers and a 1 for the bias.
  Floats weights;
  std::vector<std::int64_t> places;  ///< for each path, the index of its first number within the numbers of
                                     ///< an edge
  std::int64_t width = 0;            ///< count of numbers of an edge, rounded up to whole vectors
  /// The couplings (i, j, k) of each path in the form (0, j, i * out_components + k).
  std::vector<std::vector<ScaledCoupling>> turns;
};

/// The number of output channels of a path, rounded up to whole groups of kGroupColumns. If each group of a
/// product has this number of columns, the product can be stored without a copy.
std::int64_t room_of(const Path& path);

/// Both kinds of weights for all paths of a product. The product must outlive the object.
struct MessageWeights {
  /// `weight` [product.weights(), hidden], `bias` [product.weights()].
  MessageWeights(const TensorProduct& product, std::int64_t hidden, const float* weight, const float* bias);

  SummedWeights of_sums;
  SourceWeights of_sources;
};

}  // namespace molgauge::ops
