#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <ATen/ATen.h>

#include "base/numerics/torch/equivariant.h"
#include "base/numerics/torch/keyed_dropout.h"
#include "base/numerics/torch/operators.h"
#include "pockets/graph.h"
#include "pockets/network.h"

namespace molgauge::pocket {

/// The operators of ArrayOperators (array_operators.h) on LibTorch tensors, in float32 on the CPU or a GPU.
/// They are differentiable, also in the positions, and support dropout.
struct TensorOperators : torch::Operators {
  using Integers = at::Tensor;
  using DirectedEdges = torch::DirectedEdges;
  struct TermLists {
    at::Tensor first, members, owner;  ///< tensors of pocket::TermLists
    at::Tensor counts;                 ///< [n, 1] number of terms of each atom; 1 if the atom has none
  };
  using EquivariantNorm = torch::EquivariantNorm;
  using Dropout = torch::KeyedDropout;
  using IrrepsLinear = torch::IrrepsLinear;
  using Message = torch::NetworkMessage;

  static Tensor constant(const ops::Floats& numbers);
  static std::int64_t rows(const Tensor& x) { return x.size(0); }
  static IrrepsLinear irreps_linear(const ops::Irreps& in, const ops::Irreps& out, const Tensor& weight) {
    return {in, out, weight};
  }
  static std::vector<Tensor> irreps_linears(const std::vector<const IrrepsLinear*>& layers,
                                            const Tensor& rows) {
    return torch::irreps_linears(layers, rows);
  }
  static Tensor silu_layers(const Dense& first, const Dense& second, const Dense& third, const Tensor& x);
  static Message message(const std::shared_ptr<const ops::TensorProduct>& product, const Linear& first,
                         const Linear& second, const Linear& last) {
    return {product, {first, second, last}};
  }
  using torch::Operators::apply;
  static Tensor apply(const EquivariantNorm& norm, const Tensor& x, const ops::Irreps& irreps) {
    return torch::apply(norm, x, irreps);
  }
  static Tensor silu(const Tensor& x);
  static constexpr auto gate = torch::gate;
  static constexpr auto invariants = torch::invariants;
  static constexpr auto paired_invariants = torch::paired_invariants;
  static constexpr auto norm_activation = torch::norm_activation;
  static constexpr auto rms_norm = torch::rms_norm;
  static Tensor angle_cosines(const Tensor& positions, const std::vector<Tensor>& atoms);
  static Tensor dihedral_turns(const Tensor& positions, const std::vector<Tensor>& atoms);
  static constexpr auto spherical_harmonics = torch::spherical_harmonics;
  static constexpr auto radial_basis = torch::radial_basis;

  static Tensor edge_vectors(const Tensor& positions, const DirectedEdges& edges);
  static Tensor lengths(const Tensor& vectors);
  static std::optional<std::pair<Tensor, Tensor>> edge_geometry(const Tensor& positions,
                                                                const DirectedEdges& edges,
                                                                const Tensor& attributes,
                                                                const Tensor& frequencies, double cutoff,
                                                                int degree);
  static Tensor add_scaled(const Tensor& x, const Tensor& y, const Tensor& factor);
  static Tensor join_ends(const Tensor& h, std::int64_t columns, const AngularTermsOf<TensorOperators>& terms,
                          const Tensor& attributes);
  static Tensor mean_of_terms(const Tensor& x, const AngularTermsOf<TensorOperators>& terms);
  static Tensor drop_scalars(const Tensor& x, const ops::Irreps& irreps, const Segments& pockets,
                             const Dropout& dropout);
  static Tensor drop(const Tensor& x, const Segments& pockets, const Dropout& dropout) {
    return torch::drop_rows(x, pockets, dropout);
  }
  static Tensor pool_by_heads(const Tensor& queries, const Tensor& keys, const Tensor& values,
                              const Segments& segments, const Dropout& dropout);
  static Tensor weighted_sum(const Tensor& x, const Tensor& logits, const Segments& segments);
  static Tensor segment_mean(const Tensor& x, const Segments& segments);
};

extern template class Encoder<TensorOperators>;

/// A batch on a device. On the CPU it shares the memory of the arrays.
BatchOf<TensorOperators> as_tensors(const Batch& batch, c10::Device device = c10::kCPU);

}  // namespace molgauge::pocket
