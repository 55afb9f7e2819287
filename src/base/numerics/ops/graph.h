#pragma once

#include <cstdint>
#include <vector>

#include "base/numerics/ops/array.h"
#include "base/numerics/ops/dense.h"

/// Operators on batches of molecular graphs. base/numerics/torch/graph.h contains the same operators on
/// LibTorch tensors, with which tests compare them.
namespace molgauge::ops {

/// The directed edges of a graph of n nodes, ordered by target. Edges with equal features have the same kind.
/// Molecules have only a few kinds, so results that depend on the features alone are computed once for each
/// kind.
struct Edges {
  Integers source;  ///< [E] node numbers
  Integers target;  ///< [E] node numbers, ascending
  Integers kind;    ///< [E] row of a table of features
  Integers first;   ///< [n + 1] the edges into node t are first[t] to first[t + 1] - 1
};

/// Consecutive rows of a matrix grouped into segments, for example the atoms of each molecule.
struct Segments {
  Integers first;  ///< [segments + 1] segment s is the rows first[s] to first[s + 1] - 1
  Integers of;     ///< [rows] the segment of a row, ascending

  std::int64_t count() const { return first.size(0) - 1; }
};

/// Creates segments of these sizes, in this order.
Segments make_segments(const std::vector<std::int64_t>& sizes);

/// Message passing of GINE with epsilon 0 (Hu et al. 2020, arXiv:1905.12265, equation 2.3):
///
///     out[t] = nodes[t] + sum over edges s -> t of ReLU(nodes[s] + kinds[kind of the edge])
///
/// Takes nodes [n, d] and kinds [k, d] and returns [n, d]. The indices of nodes and kinds are not checked.
/// The sums are computed without storing messages.
Floats message_passing(const Floats& nodes, const Edges& edges, const Floats& kinds);

/// A GINE layer on top of a residual stream:
///
///     residual + out(hidden(message_passing(nodes, edges, kinds)))
///
/// Takes nodes [n, inputs of `hidden`] and residual [n, outputs of `out`]. An undefined residual counts as
/// zeros. Processes blocks of nodes, so that hidden values stay in the cache. The result overwrites
/// `residual`. No other tensor may share its memory.
Floats gine_layer(const Floats& nodes, const Edges& edges, const Floats& kinds, const Dense& hidden,
                  const Dense& out, Floats residual);

/// The sum of the rows of each segment: rows [n, d] -> [segments, d]. An empty segment gives zeros.
Floats segment_sum(const Floats& rows, const Segments& segments);
/// The column maxima of each segment. An empty segment gives -infinity.
Floats segment_max(const Floats& rows, const Segments& segments);
/// Adds to each row the row of its segment: rows [n, d], addends [segments, d] -> [n, d].
Floats add_to_segments(const Floats& rows, const Floats& addends, const Segments& segments);

}  // namespace molgauge::ops
