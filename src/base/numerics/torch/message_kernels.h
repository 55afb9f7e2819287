#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "base/numerics/ops/equivariant/coupling.h"
#include "base/numerics/torch/equivariant.h"

/// ops::equivariant_message() on a GPU, in tiles. A tile consists of nodes and their incoming edges, which
/// are ordered by target. Kernels (cuda/message_steps.h) compute the products of rows with harmonics and the
/// sums of the products over the edges of a node. Matrix products of ATen then apply the weights, one product
/// for each block of the output. For CPU tensors, loops execute the steps, so tests can compare them with the
/// kernels of ops/. The backward pass also needs the rows of all edges. Sums have a fixed order on each
/// device.
namespace molgauge::torch {

/// Arguments of message_kernels(): contiguous float32 and int64 tensors on one device.
struct MessageTensors {
  at::Tensor rows, harmonics, radial, weight, bias;
  DirectedEdges edges;
};

/// The largest tiles: the bytes of the sums of the nodes, and the number of edges. A tile has at least one
/// node. Large tiles need fewer launches of kernels.
struct MessageTiles {
  std::int64_t sum_bytes = std::int64_t{384} << 20, edges = std::int64_t{1} << 16;
};

/// Returns the messages [nodes, width of product.out()].
at::Tensor message_kernels(const ops::TensorProduct& product, const MessageTensors& tensors,
                           const MessageTiles& tiles = {});

/// The gradients of `rows`, `harmonics` (undefined unless requested), `radial`, `weight` and `bias`.
struct MessageGradients {
  at::Tensor rows, harmonics, radial, weight, bias;
};
MessageGradients message_backward_by_steps(const ops::TensorProduct& product, const MessageTensors& tensors,
                                           const at::Tensor& gradient, bool wants_harmonics,
                                           const MessageTiles& tiles = {});

/// Arguments of ops::radial_network(), or their gradients.
struct RadialTensors {
  at::Tensor x, first_weight, first_bias, second_weight, second_bias;
};

/// The radial numbers, and the numbers before and between the layers of the network.
struct RadialNumbers {
  at::Tensor before_first, between, before_second, radial;
};

/// Computes ops::radial_network() with ATen operators. radial_backward_by_operators() computes the gradients.
RadialNumbers radial_by_operators(const RadialTensors& tensors);
/// Computes the gradients of the arguments from the gradient of the result. `x` is undefined unless wants_x
/// is true.
RadialTensors radial_backward_by_operators(const RadialTensors& tensors, const RadialNumbers& numbers,
                                           const at::Tensor& gradient, bool wants_x);

/// Whether this build has GPU kernels, because nvcc was available.
bool has_message_kernels();

/// The bytes of the tiles of a pass of the usual shape, besides arguments and results.
std::uint64_t bytes_of_message_steps(std::int64_t nodes, std::int64_t edges);

}  // namespace molgauge::torch
