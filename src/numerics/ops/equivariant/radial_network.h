#pragma once

#include <cstdint>
#include <memory>

#include "numerics/ops/dense.h"
#include "numerics/ops/equivariant/message.h"

/// What the weights of an edge are computed of.
namespace headroom::ops {

/// The network from the numbers of an edge (functions of its length, attributes) to its weights:
/// last(silu(second(silu(first(x))))). `last` is linear, which equivariant_message() lives on.
struct WeightNetwork {
  Linear first, second, last;
};

/// The layers before the last one: out [edges, hidden] = silu(second(silu(first(x)))), row-major.
struct RadialArguments {
  std::int64_t edges, in, hidden;
  const float* x;              ///< [edges, in]
  const float* first_weight;   ///< [hidden, in]
  const float* first_bias;     ///< [hidden]
  const float* second_weight;  ///< [hidden, hidden]
  const float* second_bias;    ///< [hidden]
};

/// Tile by tile of edges: beyond `out` it takes some hundred KiB. An edge's row depends on its own numbers
/// alone, to the byte. One thread.
void radial_network(const RadialArguments& arguments, float* out);

/// Where the gradients are added, of the shapes of the arguments; `x` may be nullptr, where it is not wanted.
struct RadialGradients {
  float *x, *first_weight, *first_bias, *second_weight, *second_bias;
};

/// Adds the gradients of a sum whose gradient in `out` is `gradient`. Computes again what lies between. One
/// thread, in one order.
void radial_network_backward(const RadialArguments& arguments, const float* gradient,
                             const RadialGradients& to);

/// equivariant_message() with the weights that a network makes of the numbers of the edges. The weights are
/// packed when the object is made; without numbers (in a network that is made only for the names of its
/// parameters) it cannot be applied.
///
/// Thread safety: may be applied by several threads at once.
class NetworkMessage {
 public:
  NetworkMessage() = default;
  NetworkMessage(std::shared_ptr<const TensorProduct> product, const WeightNetwork& network);

  /// x [edges, numbers of an edge] -> [nodes, width of product.out()].
  Floats operator()(const Floats& rows, const DirectedEdges& edges, const Floats& harmonics,
                    const Floats& x) const;

 private:
  std::shared_ptr<const TensorProduct> product_;
  Linear first_, second_;
  std::shared_ptr<const MessageWeights> weights_;
};

}  // namespace headroom::ops
