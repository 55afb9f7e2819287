#pragma once

#include <memory>
#include <utility>

#include "base/numerics/ops/operators.h"
#include "molecules/encoders/unimol/inputs.h"

/// Operators on plain arrays that only Uni-Mol needs, with the names that network_definition.h uses. They
/// work on blocks of rows that stay in the caches, and use the scratch memory of the thread.
namespace molgauge::encoders::unimol {

/// Gaussian functions of distances. Each kind of pair (pair_kind) has a factor and an offset. There are K
/// kernels. Each kernel has a mean and a width. With y = factor * distance + offset and s = |width| + 1e-5, a
/// function is exp(-((y - mean) / s)^2 / 2) / (s sqrt(2 * 3.14159)). The constant 3.14159 is from the
/// published network.
class GaussianKernels {
 public:
  GaussianKernels() = default;
  /// factors, offsets [kinds, 1]; means, widths [1, K]. They are empty if the network is created only to list
  /// the names of its parameters.
  GaussianKernels(ops::Floats factors, ops::Floats offsets, ops::Floats means, const ops::Floats& widths);

  float place(std::int64_t kind, float distance) const {
    return factors_.data()[kind] * distance + offsets_.data()[kind];
  }
  /// Returns the parameters in the form that the CPU kernels read.
  ops::cpu::GaussianRows rows() const;

 private:
  ops::Floats factors_, offsets_, means_;
  ops::Floats reciprocal_widths_, heights_;  ///< [K]
};

/// The layer normalisation of a block of rows.
class RowNorm {
 public:
  RowNorm() = default;
  explicit RowNorm(ops::LayerNorm norm) : norm_(std::move(norm)) {}

  /// Normalises x [rows, width] into `to` [rows, width].
  void apply(const float* x, std::int64_t rows, float* to) const;
  std::int64_t width() const { return norm_.weight.count(); }

 private:
  ops::LayerNorm norm_;
};

/// No dropout, because plain arrays are for inference.
struct NoDropout {
  NoDropout at_place(std::int64_t /*place*/) const { return {}; }
};

/// A batch of molecules: n tokens and P pairs. Pairs within each molecule are stored row by row, molecule
/// after molecule.
struct PairOperators : ops::Operators {
  using Integers = ops::Integers;
  using Dropout = NoDropout;
  using GaussianKernels = unimol::GaussianKernels;
  using LayerNorm = RowNorm;

  static LayerNorm make_norm(ops::LayerNorm norm) { return LayerNorm(std::move(norm)); }
  /// Rearranges the layer for queries, keys and values, or the output layer of the heads. In the result,
  /// element d of head h has the index d * heads + h (cpu::PairAttention).
  static Linear arrange_joint(const Linear& linear, std::int64_t heads);
  static Linear arrange_mixed(const Linear& linear, std::int64_t heads);

  /// The pair logits before the first layer, [P, heads]: two layers over Gaussian functions. Pairs of a
  /// molecule with equal kind and distance have equal logits, which are computed only once. Examples are the
  /// two orders of a pair of atoms of the same element, and the pairs of each atom with itself.
  static Tensor pair_logits(const Integers& tokens, const Tensor& distances, const Segments& molecules,
                            const GaussianKernels& kernels, const Dense& hidden, const Dense& out);
  /// Returns the rows of `table` whose numbers are in `tokens`, normalised by `norm`.
  static Tensor embed(const Tensor& table, const Integers& tokens, const LayerNorm& norm,
                      const Segments& molecules, Dropout dropout);
  /// layer(norm(x)).
  static Tensor normalised(const LayerNorm& norm, const Dense& layer, const Tensor& x);
  static Tensor normalise(const LayerNorm& norm, const Tensor& x);
  /// Attention within molecules (cpu::PairAttention): [n, width], or [molecules, width] if only the first
  /// token of each molecule attends. Changes `pairs`.
  static Tensor attend(const Tensor& joint, Tensor& pairs, const Segments& molecules, std::int64_t heads,
                       bool first_only, Dropout dropout);
  /// x + layer(input), in place.
  static Tensor add_layer(Tensor x, const Dense& layer, const Tensor& input, const Segments& molecules,
                          Dropout dropout);
  /// x + narrow(widen(norm(x))), in place.
  static Tensor feed_forward(Tensor x, const LayerNorm& norm, const Dense& widen, const Dense& narrow,
                             const Segments& molecules, Dropout dropout);
  /// feed_forward(add_layer(x, layer, input), ...), in place.
  static Tensor finish_layer(Tensor x, const Dense& layer, const Tensor& input, const LayerNorm& norm,
                             const Dense& widen, const Dense& narrow, const Segments& molecules,
                             Dropout after_layer, Dropout after_narrow) {
    return feed_forward(add_layer(std::move(x), layer, input, molecules, after_layer), norm, widen, narrow,
                        molecules, after_narrow);
  }
  /// The row of the first token of each molecule.
  static Tensor first_rows(const Tensor& x, const Segments& molecules);
};

}  // namespace molgauge::encoders::unimol
