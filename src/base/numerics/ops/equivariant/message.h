#pragma once

#include <cstdint>

#include "base/numerics/ops/array.h"
#include "base/numerics/ops/equivariant/coupling.h"

/// Messages of an equivariant network, computed without storing weights for each edge.
namespace molgauge::ops {

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
  std::int64_t nodes, hidden;          ///< `hidden`: number of radial features of an edge
  const float* rows;                   ///< [nodes, width of product.in()]
  const float* harmonics;              ///< [edges, width of product.harmonics()]
  const float* radial;                 ///< [edges, hidden]
  const float* weight;                 ///< [product.weights(), hidden]
  const float* bias;                   ///< [product.weights()]
  const std::int64_t *source, *first;  ///< arrays of DirectedEdges
};

/// Computes the messages. Row t of `out` [nodes, width of product.out()] is the sum over all edges s -> t of
///
///     TensorProduct(rows[s], harmonics[edge]; W),  W = weight radial[edge] + bias
///
/// The message is linear in the weights, so they are applied once for each node and not for each edge. Each
/// path uses one of two orders.
///
/// In the first order, the weights are applied to the source (SourceMessages in message.cpp). It is used if
/// the output of a path has more components than its input, for example for vectors from scalars. An edge
/// then costs hidden
/// * (output channels) multiply-adds.
///
/// The second order is used for all other paths. Let t be the products of channels with harmonics. The outer
/// products of radial and t are summed over the edges, and the weights are applied to the sum. An edge then
/// costs hidden * (numbers of t) multiply-adds.
///
/// Both orders are cheaper than hidden * weights for each edge. Nodes are processed in tiles with a few
/// hundred edges, so that the weights stay in the cache. Memory: one tile and, for the first order, some
/// numbers for each edge (48 at the default width). The row of a node depends only on its edges and their
/// order, bit for bit. Paths from blocks that are zero in all rows are skipped, for example in the first
/// layer of a network with scalar input. Uses one thread.
void equivariant_message(const MessageArguments& arguments, float* out);

/// Computes the same messages with packed weights. Ignores the weights in the arguments.
void equivariant_message(const MessageArguments& arguments, const MessageWeights& weights, float* out);

/// Buffers to which the gradients are added. They have the shapes of the arguments. `harmonics` may be
/// nullptr.
struct MessageGradients {
  float *rows, *harmonics, *radial, *weight, *bias;
};

/// Adds the gradients of the arguments to the buffers `to`. `gradient`: gradient with respect to `out`.
/// Recomputes the intermediate numbers of the forward pass tile by tile. All paths use the second order.
/// Memory grows with the number of edges only if one node has more edges than a tile. Uses one thread and a
/// fixed order of sums.
void equivariant_message_backward(const MessageArguments& arguments, const float* gradient,
                                  const MessageGradients& to);

/// equivariant_message() on arrays.
Floats equivariant_message(const TensorProduct& product, const Floats& rows, const DirectedEdges& edges,
                           const Floats& harmonics, const Floats& radial, const Floats& weight,
                           const Floats& bias);

}  // namespace molgauge::ops
