#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "numerics/ops/equivariant/coupling.h"
#include "numerics/torch/equivariant.h"

/// ops::equivariant_message() on a GPU: tiles of nodes and of their edges, which are ordered by target;
/// products of rows with harmonics and their sums over a node's edges by kernels of our own
/// (cuda/message_steps.h), the weights once a node by matrix products of ATen's. On the CPU's tensors the
/// steps are loops: for tests, which compare them with the kernels of ops/. Beside the arguments and the
/// results a pass takes some 100 MiB at most, unless one node has more edges than a tile, and the backward
/// pass the rows of all edges. Sums have one order on one device.
namespace headroom::torch {

/// Float32 and int64, contiguous, on one device.
struct MessageTensors {
  at::Tensor rows, harmonics, radial, weight, bias;
  DirectedEdges edges;
};

/// [nodes, width of product.out()].
at::Tensor message_kernels(const ops::TensorProduct& product, const MessageTensors& tensors);

/// The gradients in `rows`, `harmonics` (undefined unless it is wanted), `radial`, `weight` and `bias`.
struct MessageGradients {
  at::Tensor rows, harmonics, radial, weight, bias;
};
MessageGradients message_backward_by_steps(const ops::TensorProduct& product, const MessageTensors& tensors,
                                           const at::Tensor& gradient, bool wants_harmonics);

/// Arguments of ops::radial_network(), or their gradients.
struct RadialTensors {
  at::Tensor x, first_weight, first_bias, second_weight, second_bias;
};

/// ops::radial_network() of ATen's operators, without history.
at::Tensor radial_by_operators(const RadialTensors& tensors);
/// The gradients of the arguments from the gradient of the result. `x` is undefined unless it was requested.
RadialTensors radial_backward_by_operators(const RadialTensors& tensors, const at::Tensor& gradient,
                                           bool wants_x);

/// Whether this build has the kernels for GPUs: nvcc was there when it was made.
bool has_message_kernels();

/// Maximum bytes of a pass of the usual shape, besides arguments and results.
std::uint64_t bytes_of_message_steps();

}  // namespace headroom::torch
