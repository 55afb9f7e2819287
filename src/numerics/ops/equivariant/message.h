#pragma once

#include <cstdint>

#include "numerics/ops/array.h"
#include "numerics/ops/equivariant/coupling.h"

/// Messages of an equivariant network, computed without storing weights for each edge.
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

/// Arguments of equivariant_message(), row-major. The indices are not checked.
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
/// The weights enter linearly, so each node needs them once, in one of two orders. If a path leads to more
/// components, for example from scalars to vectors, the weights are applied to the source
/// (source_messages.h). An edge then costs hidden * (output channels) multiply-adds. Every other path applies
/// them to the sum over the edges of radial (outer product) t, where t are the products of channels with
/// harmonics. An edge then costs hidden * (numbers of t). Both are cheaper than hidden * weights. Tiles of
/// nodes with a few hundred edges share the weights while these are in the cache. Additional memory: the
/// numbers of the first order (48 for each edge at the default width) and one tile. The row of a node depends
/// only on its edges and their order, bit for bit. Paths from blocks that are zero in all rows are skipped,
/// for example in the first layer of a network with scalar input. Uses one thread.
void equivariant_message(const MessageArguments& arguments, float* out);

/// Uses packed weights and ignores the weights of the arguments.
void equivariant_message(const MessageArguments& arguments, const MessageWeights& weights, float* out);

/// Buffers to which the gradients are added, with the shapes of the arguments. `harmonics` may be nullptr.
struct MessageGradients {
  float *rows, *harmonics, *radial, *weight, *bias;
};

/// Adds the gradients of a sum whose gradient in `out` is `gradient`. Recomputes the intermediate numbers of
/// the forward pass tile by tile. All paths use the sums over edges. Memory grows with the number of edges
/// only if one node has more than a tile. Uses one thread and a fixed order of sums.
void equivariant_message_backward(const MessageArguments& arguments, const float* gradient,
                                  const MessageGradients& to);

/// equivariant_message() on arrays.
Floats equivariant_message(const TensorProduct& product, const Floats& rows, const DirectedEdges& edges,
                           const Floats& harmonics, const Floats& radial, const Floats& weight,
                           const Floats& bias);

}  // namespace headroom::ops
