#pragma once

#include <cstdint>
#include <memory>

#include "base/numerics/ops/dense.h"
#include "base/numerics/ops/equivariant/message.h"

/// The network that computes the weights of an edge.
namespace molgauge::ops {

/// The network that computes the weights of an edge from its features (functions of its length, attributes):
/// last(silu(second(silu(first(x))))). `last` is linear, which equivariant_message() requires.
struct WeightNetwork {
  Linear first, second, last;
};

/// Arguments of radial_network(), row-major. The function computes the layers before the last one: out
/// [edges, hidden] = silu(second(silu(first(x)))).
struct RadialArguments {
  std::int64_t edges, in, hidden;
  const float* x;              ///< [edges, in]
  const float* first_weight;   ///< [hidden, in]
  const float* first_bias;     ///< [hidden]
  const float* second_weight;  ///< [hidden, hidden]
  const float* second_bias;    ///< [hidden]
};

/// Computes `out` [edges, hidden] tile by tile. Needs a few hundred KiB of additional memory. The row of an
/// edge depends only on its input row, bit for bit. Uses one thread.
void radial_network(const RadialArguments& arguments, float* out);

/// Buffers to which the gradients are added. They have the shapes of the arguments. `x` may be nullptr.
struct RadialGradients {
  float *x, *first_weight, *first_bias, *second_weight, *second_bias;
};

/// Adds the gradients of the arguments to the buffers `to`. `gradient`: gradient with respect to `out`.
/// Recomputes the hidden layers. Uses one thread and a fixed order of sums.
void radial_network_backward(const RadialArguments& arguments, const float* gradient,
                             const RadialGradients& to);

/// equivariant_message() with weights from a network on edge features. The constructor packs the weights. An
/// object without weights cannot be applied. It is used to list parameter names.
///
/// Thread safety: may be applied by several threads at once.
class NetworkMessage {
 public:
  NetworkMessage() = default;
  NetworkMessage(std::shared_ptr<const TensorProduct> product, const WeightNetwork& network);

  /// x [edges, features of an edge] -> [nodes, width of product.out()].
  Floats operator()(const Floats& rows, const DirectedEdges& edges, const Floats& harmonics,
                    const Floats& x) const;

 private:
  std::shared_ptr<const TensorProduct> product_;
  Linear first_, second_;
  std::shared_ptr<const MessageWeights> weights_;
};

}  // namespace molgauge::ops
