#pragma once

#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

#include "base/numerics/ops/equivariant/harmonics.h"
#include "base/numerics/ops/equivariant/irreps.h"
#include "base/numerics/torch/equivariant.h"

/// Operators of equivariant networks in one kernel each, forward and backward (cuda/irreps_steps.h). Tensors
/// are float32 on a device with kernels. All operators except edge_geometry_kernel() are differentiable.
namespace molgauge::torch {

/// Whether gate_kernel() and equivariant_norm_kernel() can compute with tensors of a device and this layout.
bool has_irreps_kernels(c10::Device device, const ops::Irreps& irreps);

/// Whether irreps_linear_kernel() can compute with tensors of a device and these layers.
bool has_irreps_linear_kernel(c10::Device device, const std::vector<const IrrepsLinear*>& layers);
/// Applies up to three layers to the same rows.
std::vector<at::Tensor> irreps_linear_kernel(const at::Tensor& rows,
                                             const std::vector<const IrrepsLinear*>& layers);
/// Computes gate().
at::Tensor gate_kernel(const at::Tensor& rows, const ops::Irreps& out);
/// Computes apply(EquivariantNorm).
at::Tensor equivariant_norm_kernel(const EquivariantNorm& norm, double epsilon, const at::Tensor& rows,
                                   const ops::Irreps& irreps);

/// Arguments of edge_geometry_kernel(). `frequencies` are on the CPU.
struct EdgeArrays {
  at::Tensor positions, attributes, frequencies;
  DirectedEdges edges;
};
/// Whether edge_geometry_kernel() can compute with these arrays.
bool has_edge_geometry(const EdgeArrays& arrays, int degree);
/// Returns the spherical harmonics of the edges, and their radial basis followed by their attributes. Lengths
/// below `least_length` are raised.
std::pair<at::Tensor, at::Tensor> edge_geometry_kernel(const EdgeArrays& arrays, int degree, double cutoff,
                                                       double least_length);

/// The terms of each atom: int64 tensors on one device. Each term is in one list.
struct TermList {
  at::Tensor first, members;  ///< the terms of atom t are members[first[t]] to members[first[t + 1] - 1]
  at::Tensor atoms;           ///< [terms] the atom whose list contains the term
};
/// For each atom, the mean of the rows of its terms in a list, averaged over one or two lists.
at::Tensor term_means_kernel(const at::Tensor& rows, const std::vector<TermList>& lists);
/// Joins the first columns of the rows of both end atoms of each term and its attributes. The attributes have
/// no gradients.
at::Tensor term_ends_kernel(const at::Tensor& rows, std::int64_t columns, const TermList& front,
                            const TermList& back, const at::Tensor& attributes);

/// x + factor * y for one number `factor`.
at::Tensor add_scaled_kernel(const at::Tensor& x, const at::Tensor& y, const at::Tensor& factor);

}  // namespace molgauge::torch
