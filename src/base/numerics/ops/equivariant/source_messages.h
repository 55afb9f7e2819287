#pragma once

#include <cstdint>
#include <vector>

#include "base/numerics/ops/equivariant/message.h"
#include "base/numerics/ops/equivariant/message_tile.h"
#include "base/numerics/ops/equivariant/message_weights.h"

namespace molgauge::ops {

/// The messages of paths whose weights are applied to the sources, before the harmonics:
///
///     m[edge, i, w] = sum over p, u of radial[edge, p] W_p[u, w] rows[source, u, i]
///
/// This order costs less if the output of a path has more components than its input, for example vectors from
/// scalars. W is then applied once for each source and input component, and an edge needs only the sums over
/// p. The numbers m of an edge depend only on the row of its source and its radial numbers, bit for bit. The
/// object stores m for each edge.
class SourceMessages {
 public:
  /// `has_numbers`: for each block of the rows, whether it has non-zero numbers. Paths from other blocks are
  /// skipped. The arguments must outlive the object.
  SourceMessages(const MessageArguments& arguments, const SourceWeights& weights,
                 const std::vector<bool>& has_numbers);

  /// For one block of the output, adds the messages of the incoming edges of each node of the tile to `to`
  /// [node, component, width].
  void add_to(std::size_t block, const TileEdges& tile, std::int64_t width, float* to);

 private:
  void order_by_source();
  void apply_weights(std::int64_t first, std::int64_t count);
  /// Sets turns_[i, k, edge] to the sum of value * harmonic j over the couplings (i, j, k) of the path.
  void turn_harmonics(std::size_t path, const TileEdges& tile);
  void multiply_edges(std::int64_t source, const float* weights);

  const MessageArguments& arguments_;
  const SourceWeights& weights_;
  const std::vector<bool>& has_numbers_;
  std::int64_t first_, count_;  ///< index of the first edge, and number of edges, for all nodes together
  /// edges_ contains the edges ordered by source. The edges from node s begin at starts_[s].
  std::vector<std::int64_t> starts_, edges_;
  std::int64_t of_source_;
  Floats of_sources_;  ///< [source, term, width]: products of the weights and the rows of some sources
  Floats messages_;    ///< m [edge, width], padded to whole vectors
  Floats turns_;       ///< result of turn_harmonics() [i, k, edge], and a row of ones
};

}  // namespace molgauge::ops
