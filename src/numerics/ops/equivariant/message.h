#pragma once

#include <cstdint>

#include "numerics/ops/array.h"
#include "numerics/ops/equivariant/coupling.h"

/// Messages of an equivariant network, whose weights no edge ever has as numbers of its own.
namespace headroom::ops {

struct MessageWeights;

/// The directed edges of a graph of n nodes, ordered by target.
struct DirectedEdges {
  Integers source;  ///< [E] node numbers
  Integers target;  ///< [E] node numbers, ascending
  Integers first;   ///< [n + 1] the edges into node t are first[t] to first[t + 1] - 1

  std::int64_t nodes() const { return first.size(0) - 1; }
  std::int64_t count() const { return source.size(0); }
};

/// What equivariant_message() is computed of, row-major. The indices are not checked.
struct MessageArguments {
  const TensorProduct& product;
  std::int64_t nodes, hidden;          ///< `hidden`: numbers that describe an edge to the weights
  const float* rows;                   ///< [nodes, width of product.in()]
  const float* harmonics;              ///< [edges, width of product.harmonics()]
  const float* radial;                 ///< [edges, hidden]
  const float* weight;                 ///< [product.weights(), hidden]
  const float* bias;                   ///< [product.weights()]
  const std::int64_t *source, *first;  ///< as in DirectedEdges
};

/// out [nodes, width of product.out()]: for each node t the sum over its edges s -> t of
///
///     TensorProduct(rows[s], harmonics[edge]; W),  W = weight radial[edge] + bias
///
/// The weights enter linearly, so they are applied once a node, in one of two orders. A path from fewer
/// components to more (from scalars to vectors, say) applies them to the source (source_messages.h); an edge
/// then costs hidden * (output channels) multiply-adds. Every other path applies them to the sum over the
/// edges of radial (outer product) t, where t are the products of channels with harmonics; an edge then costs
/// hidden * (numbers of t). Neither is hidden * weights. Tiles of nodes with some hundred edges share the
/// weights while these are in the cache. Memory beyond the arguments is the numbers of the first order (48 an
/// edge at the default width) and a tile. A node's row depends on what its edges are and on their order
/// alone, to the byte. Paths from blocks whose numbers are zero in all rows, as in the first layer of a
/// network that is given scalars, are left out. One thread.
void equivariant_message(const MessageArguments& arguments, float* out);

/// With weights that were packed before; those of the arguments are not read.
void equivariant_message(const MessageArguments& arguments, const MessageWeights& weights, float* out);

/// Where the gradients are added, of the shapes of the arguments; `harmonics` may be nullptr, where they are
/// not wanted.
struct MessageGradients {
  float *rows, *harmonics, *radial, *weight, *bias;
};

/// Adds the gradients of a sum whose gradient in `out` is `gradient`. Computes again what the forward pass
/// did not keep, tile by tile, all paths by the sums over edges; memory does not grow with the number of
/// edges, unless one node has more than a tile. One thread, in one order.
void equivariant_message_backward(const MessageArguments& arguments, const float* gradient,
                                  const MessageGradients& to);

/// equivariant_message() on arrays.
Floats equivariant_message(const TensorProduct& product, const Floats& rows, const DirectedEdges& edges,
                           const Floats& harmonics, const Floats& radial, const Floats& weight,
                           const Floats& bias);

}  // namespace headroom::ops
