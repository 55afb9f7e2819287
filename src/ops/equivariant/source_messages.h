#pragma once

#include <cstdint>
#include <vector>

#include "ops/equivariant/message.h"
#include "ops/equivariant/message_tile.h"

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
  /// Whether the path costs less in this order.
  static bool suits(const TensorProduct& product, const ProductPath& path);

  /// Of all paths that suit. The arguments outlive the object.
  explicit SourceMessages(const MessageArguments& arguments);

  /// Adds the sums over the edges into each node to the rows [node, component, width] of a block of the
  /// output.
  void add_to(std::size_t block, const TileEdges& tile, std::int64_t width, float* to);

 private:
  void pack();
  void order_by_source();
  void apply_weights(std::int64_t first, std::int64_t count);
  /// turns_ become the sums over j of value * harmonic j of the path's couplings (i, j, k).
  void turn_harmonics(std::size_t path, const TileEdges& tile);
  void multiply_edges(std::int64_t source, const float* weights);

  const MessageArguments& arguments_;
  std::vector<Path> paths_;
  std::vector<std::int64_t> places_;          ///< where a path's numbers begin in those of an edge
  std::vector<std::int64_t> packed_;          ///< where a path's weights begin
  std::int64_t terms_ = 0, width_ = 0;        ///< radial numbers and a 1 for the bias; numbers of an edge
  std::int64_t first_ = 0, count_ = 0;        ///< edges
  std::vector<std::int64_t> starts_, edges_;  ///< the edges from each node
  Floats weights_;                            ///< of each path [input channel, term, room of a component]
  std::int64_t of_source_ = 0;
  Floats of_sources_;     ///< [source, of_source_], numbers [term, width_] of some sources
  Floats radial_, made_;  ///< some edges from a source: [edge, hidden], [edge, width_]
  Floats messages_;       ///< m [edge, width_], and room for whole vectors
  std::vector<std::vector<ScaledCoupling>> turns_of_;  ///< each path's couplings of a 1 with harmonics
  Floats turns_;                                       ///< those of a tile [i, k, edge], and a row of ones
};

}  // namespace headroom::ops
