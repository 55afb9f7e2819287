#pragma once

#include <ATen/core/Tensor.h>

#include "ops/cpu/kernels.h"

namespace headroom::ops {

/// The directed edges of a graph of n nodes, ordered by target. Edges with equal features are of one kind, so
/// that what depends on the features alone is computed once a kind: molecules have a handful.
/// All tensors are int64 and contiguous, on the nodes' device.
struct Edges {
  at::Tensor source;  ///< [E] node numbers
  at::Tensor target;  ///< [E] node numbers, ascending
  at::Tensor kind;    ///< [E] row of a table of features
  at::Tensor first;   ///< [n + 1] the edges into node t are first[t] to first[t + 1] - 1
};

/// Message passing of GINE with epsilon 0 (Hu et al. 2020, arXiv:1905.12265, equation 2.3):
///
///     out[t] = nodes[t] + sum over edges s -> t of ReLU(nodes[s] + kinds[kind of the edge])
///
/// nodes [n, d]; kinds [k, d]; returns [n, d]. Differentiable in nodes and kinds. The edges are trusted to
/// name nodes and kinds that exist. On the CPU without gradients one pass that holds no message in memory.
at::Tensor message_passing(const at::Tensor& nodes, const Edges& edges, const at::Tensor& kinds);

/// The same in ATen operators; holds two [E, d] tensors.
at::Tensor message_passing_reference(const at::Tensor& nodes, const Edges& edges, const at::Tensor& kinds);

/// The tensors as the kernels take them, which must apply to them (ops/kernel_choice.h).
cpu::MessagePassing message_passing_arguments(const at::Tensor& nodes, const Edges& edges,
                                              const at::Tensor& kinds);

}  // namespace headroom::ops
