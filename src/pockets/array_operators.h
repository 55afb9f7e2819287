#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "base/numerics/ops/equivariant/irreps_linear.h"
#include "base/numerics/ops/equivariant/radial_network.h"
#include "base/numerics/ops/operators.h"
#include "pockets/graph.h"
#include "pockets/network.h"
#include "pockets/term_geometry.h"

namespace molgauge::pocket {

/// The operators of the encoder on plain arrays. They run inference on a CPU without LibTorch, in the calling
/// thread. The output row of a pocket is bit-identical in all batches that have the same kinds of terms.
struct ArrayOperators : ops::Operators {
  using Integers = ops::Integers;
  using DirectedEdges = ops::DirectedEdges;
  using TermLists = pocket::TermLists;
  using EquivariantNorm = ops::EquivariantNorm;
  /// Does nothing, because dropout is only for training.
  struct Dropout {
    Dropout at_place(std::int64_t /*place*/) const { return *this; }
  };
  using IrrepsLinear = ops::IrrepsLinear;
  using Message = ops::NetworkMessage;

  static Tensor constant(const ops::Floats& numbers) { return numbers; }
  static std::int64_t rows(const Tensor& x) { return x.size(0); }
  static IrrepsLinear irreps_linear(const ops::Irreps& in, const ops::Irreps& out, const Tensor& weight) {
    return {in, out, weight};
  }
  /// Applies several layers to the same rows, if one kernel computes all of them. Otherwise, the result is
  /// empty.
  static std::vector<Tensor> irreps_linears(const std::vector<const IrrepsLinear*>& /*layers*/,
                                            const Tensor& /*rows*/) {
    return {};
  }
  static Tensor silu_layers(const Dense& first, const Dense& second, const Dense& third, const Tensor& x) {
    return third(ops::silu(second(ops::silu(first(x)))));
  }
  static Message message(const std::shared_ptr<const ops::TensorProduct>& product, const Linear& first,
                         const Linear& second, const Linear& last) {
    return {product, {first, second, last}};
  }
  using ops::Operators::apply;
  static Tensor apply(const EquivariantNorm& norm, const Tensor& x, const ops::Irreps& irreps) {
    return ops::apply(norm, x, irreps);
  }
  static constexpr auto silu = ops::silu;
  static constexpr auto gate = ops::gate;
  static constexpr auto invariants = ops::invariants;
  static constexpr auto paired_invariants = ops::paired_invariants;
  static constexpr auto norm_activation = ops::norm_activation;
  static constexpr auto rms_norm = ops::rms_norm;
  static constexpr auto angle_cosines = pocket::angle_cosines;
  static constexpr auto dihedral_turns = pocket::dihedral_turns;
  static constexpr auto spherical_harmonics = ops::spherical_harmonics;
  static constexpr auto radial_basis = ops::radial_basis;

  /// positions[target] - positions[source], [E, 3].
  static Tensor edge_vectors(const Tensor& positions, const DirectedEdges& edges);
  /// Returns the lengths of the vectors, [E, 1]. Each length is at least 1e-6.
  static Tensor lengths(const Tensor& vectors);
  /// Returns x + factor y. `factor` is one number.
  static Tensor add_scaled(const Tensor& x, const Tensor& y, const Tensor& factor);
  /// Returns the harmonics of edges, and their radial basis and attributes, if one kernel computes both.
  static std::optional<std::pair<Tensor, Tensor>> edge_geometry(const Tensor& /*positions*/,
                                                                const DirectedEdges& /*edges*/,
                                                                const Tensor& /*attributes*/,
                                                                const Tensor& /*frequencies*/,
                                                                double /*cutoff*/, int /*degree*/) {
    return std::nullopt;
  }
  /// Joins the first `columns` numbers of the first and the last atom of each term, and the attributes.
  static Tensor join_ends(const Tensor& h, std::int64_t columns, const AngularTermsOf<ArrayOperators>& terms,
                          const Tensor& attributes);
  /// Returns the mean row of the terms of each atom, averaged over the lists of the inner atoms. The row is
  /// zero if the atom has no terms.
  static Tensor mean_of_terms(const Tensor& x, const AngularTermsOf<ArrayOperators>& terms);
  static Tensor drop_scalars(const Tensor& x, const ops::Irreps& /*irreps*/, const Segments& /*pockets*/,
                             const Dropout& /*dropout*/) {
    return x;
  }
  static Tensor drop(const Tensor& x, const Segments& /*pockets*/, const Dropout& /*dropout*/) { return x; }
  /// Multi-head attention pooling. Returns the weighted sum of the values for each segment and head. The
  /// weights are the softmax, within the segment, of (key . query) / sqrt(width). Shapes: queries [heads,
  /// width], keys and values [n, heads * width].
  static Tensor pool_by_heads(const Tensor& queries, const Tensor& keys, const Tensor& values,
                              const Segments& segments, const Dropout& dropout);
  /// The weighted sum of the rows of each segment. The weights are the softmax of the logits [n, 1] within
  /// the segment.
  static Tensor weighted_sum(const Tensor& x, const Tensor& logits, const Segments& segments);
  static Tensor segment_mean(const Tensor& x, const Segments& segments);
};

extern template class Encoder<ArrayOperators>;

/// A batch that shares the memory of the arrays.
BatchOf<ArrayOperators> as_arrays(const Batch& batch);

}  // namespace molgauge::pocket
