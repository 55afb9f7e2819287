#pragma once

#include <cstdint>
#include <vector>

#include "numerics/ops/array.h"
#include "numerics/ops/dense.h"

/// Operators on graphs of atoms, many molecules side by side. numerics/torch/graph.h has the same operators
/// for LibTorch's tensors, which are the plain references.
namespace headroom::ops {

/// The directed edges of a graph of n nodes, ordered by target. Edges with equal features are of one kind, so
/// that results of the features alone are computed once for each kind: molecules have a handful of kinds.
struct Edges {
  Integers source;  ///< [E] node numbers
  Integers target;  ///< [E] node numbers, ascending
  Integers kind;    ///< [E] row of a table of features
  Integers first;   ///< [n + 1] the edges into node t are first[t] to first[t + 1] - 1
};

/// Rows of a matrix in segments: the atoms of molecule after molecule.
struct Segments {
  Integers first;  ///< [segments + 1] segment s is the rows first[s] to first[s + 1] - 1
  Integers of;     ///< [rows] the segment of a row, ascending

  std::int64_t count() const { return first.size(0) - 1; }
};

/// Segments of these sizes, in this order.
Segments make_segments(const std::vector<std::int64_t>& sizes);

/// Message passing of GINE with epsilon 0 (Hu et al. 2020, arXiv:1905.12265, equation 2.3):
///
///     out[t] = nodes[t] + sum over edges s -> t of ReLU(nodes[s] + kinds[kind of the edge])
///
/// nodes [n, d]; kinds [k, d]; returns [n, d]. The indices of nodes and kinds are not checked. The sums are
/// made in one pass that holds no message in memory.
Floats message_passing(const Floats& nodes, const Edges& edges, const Floats& kinds);

/// A GINE layer on top of a residual stream:
///
///     residual + out(hidden(message_passing(nodes, edges, kinds)))
///
/// nodes [n, in of hidden]; residual [n, out of out]; an undefined residual counts as zeros. One pass over
/// blocks of nodes keeps the values between the layers in the cache; the result overwrites the memory of
/// `residual`, which no other tensor may be using.
Floats gine_layer(const Floats& nodes, const Edges& edges, const Floats& kinds, const Dense& hidden,
                  const Dense& out, Floats residual);

/// Sum of the rows of each segment: rows [n, d] -> [segments, d]; zeros for an empty segment.
Floats segment_sum(const Floats& rows, const Segments& segments);
/// Largest number of each column within each segment; -infinity for an empty segment.
Floats segment_max(const Floats& rows, const Segments& segments);
/// Adds to each row the row of its segment: rows [n, d], addends [segments, d] -> [n, d].
Floats add_to_segments(const Floats& rows, const Floats& addends, const Segments& segments);

}  // namespace headroom::ops
