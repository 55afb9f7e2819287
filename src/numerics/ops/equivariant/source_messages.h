#pragma once

#include <cstdint>
#include <vector>

#include "numerics/ops/equivariant/message.h"
#include "numerics/ops/equivariant/message_tile.h"
#include "numerics/ops/equivariant/message_weights.h"

namespace headroom::ops {

/// The part of messages whose weights are applied to the sources, before any harmonic:
///
///     m[edge, i, w] = sum over p, u of radial[edge, p] W_p[u, w] rows[source, u, i]
///
/// A path from fewer components to more (from scalars to vectors, say) costs less in this order: W meets each
/// source once, for the components of the input, and an edge the sums over p alone. The numbers of an edge
/// depend on its source's row and its radial numbers alone, to the byte. Keeps m for each edge.
class SourceMessages {
 public:
  /// `has_numbers`: the blocks of the rows whose numbers are not all zero; paths from others give nothing.
  /// The arguments outlive the object.
  SourceMessages(const MessageArguments& arguments, const SourceWeights& weights,
                 const std::vector<bool>& has_numbers);

  /// Adds the sums over the edges into each node to the rows [node, component, width] of a block of the
  /// output.
  void add_to(std::size_t block, const TileEdges& tile, std::int64_t width, float* to);

 private:
  void order_by_source();
  void apply_weights(std::int64_t first, std::int64_t count);
  /// turns_ become the sums over j of value * harmonic j of the path's couplings (i, j, k).
  void turn_harmonics(std::size_t path, const TileEdges& tile);
  void multiply_edges(std::int64_t source, const float* weights);

  const MessageArguments& arguments_;
  const SourceWeights& weights_;
  const std::vector<bool>& has_numbers_;
  std::int64_t first_, count_;                ///< edges
  std::vector<std::int64_t> starts_, edges_;  ///< the edges from each node
  std::int64_t of_source_;
  Floats of_sources_;  ///< [source, of_source_]: numbers [term, width] of some sources
  Floats messages_;    ///< m [edge, width], and room for whole vectors
  Floats turns_;       ///< those of a tile [i, k, edge], and a row of ones
};

}  // namespace headroom::ops
