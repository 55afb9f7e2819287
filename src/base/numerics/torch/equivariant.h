#pragma once

#include <memory>
#include <vector>

#include <ATen/core/Tensor.h>

#include "base/numerics/ops/equivariant/irreps_linear.h"
#include "base/numerics/ops/equivariant/layers.h"
#include "base/numerics/ops/equivariant/message.h"
#include "base/numerics/ops/equivariant/radial_network.h"
#include "base/numerics/torch/layers.h"

/// The operators of numerics/ops/equivariant/ for LibTorch tensors. They are float32 and can be
/// differentiated once. On a CPU, messages and harmonics use the kernels of numerics/ops/ with separate
/// backward passes. On a GPU, messages use message_kernels.h. All other operators consist of ATen operators.
/// Tests compare the kernels of numerics/ops/equivariant/ with them.
namespace molgauge::torch {

/// ops::DirectedEdges as contiguous int64 tensors.
struct DirectedEdges {
  at::Tensor source, target;  ///< [E]
  at::Tensor first;           ///< [n + 1]
  // The following tensors are used for edges on a GPU. They are computed once for all messages of a batch. If
  // they are undefined, each message computes them.
  at::Tensor first_here = {};       ///< `first` on the CPU
  at::Tensor by_source = {};        ///< [E] edges ordered by source, and by edge number within a source
  at::Tensor first_by_source = {};  ///< [n + 1] position in `by_source` at which the edges of each node begin
};
/// A copy on a device. On the CPU, the tensors share the arrays.
DirectedEdges on_device(const ops::DirectedEdges& edges, c10::Device device);
/// Returns the CPU tensors that on_device() copies to a device, without `first_here`. The caller can move
/// them together with other tensors (move_together()).
DirectedEdges as_tensors(const ops::DirectedEdges& edges, c10::Device device);
/// Returns pointers to the arrays of the edges.
std::vector<at::Tensor*> arrays_of(DirectedEdges& edges);

/// vectors [n, 3] -> [n, (most + 1)^2].
at::Tensor spherical_harmonics(const at::Tensor& vectors, int most);
/// lengths [n, 1] -> [n, functions].
at::Tensor radial_basis(const at::Tensor& lengths, const at::Tensor& frequencies, double cutoff);

/// ops::WeightNetwork.
struct WeightNetwork {
  Linear first, second, last;
};

/// Computes ops::equivariant_message() for LibTorch tensors. The network computes the radial numbers from x
/// [E, features of an edge]. The backward pass keeps only the arguments and computes the radial numbers
/// again. It computes the gradients of the harmonics and of x only if they are needed.
at::Tensor equivariant_message(const std::shared_ptr<const ops::TensorProduct>& product,
                               const at::Tensor& rows, const DirectedEdges& edges,
                               const at::Tensor& harmonics, const at::Tensor& x,
                               const WeightNetwork& network);

/// ops::NetworkMessage.
struct NetworkMessage {
  std::shared_ptr<const ops::TensorProduct> product;
  WeightNetwork network;

  at::Tensor operator()(const at::Tensor& rows, const DirectedEdges& edges, const at::Tensor& harmonics,
                        const at::Tensor& x) const {
    return equivariant_message(product, rows, edges, harmonics, x, network);
  }
};

/// ops::IrrepsLinear.
struct IrrepsLinear {
  ops::Irreps in, out;
  at::Tensor weight;

  at::Tensor operator()(const at::Tensor& rows) const;
};

/// Applies several layers to the same rows, if one kernel computes all of them. Otherwise, the result is
/// empty.
std::vector<at::Tensor> irreps_linears(const std::vector<const IrrepsLinear*>& layers,
                                       const at::Tensor& rows);

at::Tensor gate(const at::Tensor& rows, const ops::Irreps& out);

/// ops::EquivariantNorm.
struct EquivariantNorm {
  LayerNorm scalars;
  ops::ChannelNorm channels = ops::ChannelNorm::length;
};
at::Tensor apply(const EquivariantNorm& norm, const at::Tensor& rows, const ops::Irreps& irreps);

/// The gradient of a channel of length zero is zero.
at::Tensor invariants(const at::Tensor& rows, const ops::Irreps& irreps);
at::Tensor paired_invariants(const at::Tensor& rows, const ops::Irreps& irreps);

at::Tensor norm_activation(const at::Tensor& rows, const ops::Irreps& irreps);
at::Tensor rms_norm(const at::Tensor& rows, const at::Tensor& scale);

}  // namespace molgauge::torch
