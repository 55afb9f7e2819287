#pragma once

#include <vector>

#include "base/numerics/ops/equivariant/irreps.h"

/// Tensor products: how two irreducible representations are combined into a third.
namespace molgauge::ops {

/// The 3j symbols of degrees a, b and c for real spherical harmonics: [2a+1, 2b+1, 2c+1], row-major. Up to a
/// factor, this is the only rotation-invariant tensor of these degrees. The sum of its squares is 1. Its sign
/// is the sign in e3nn: Condon-Shortley Clebsch-Gordan coefficients, changed to real harmonics with polar
/// axis y (Geiger and Smidt 2022, arXiv:2207.09453). Computed by Racah's formula (Varshalovich et al. 1988,
/// Quantum Theory of Angular Momentum, equation 8.2.1(3)). Throws std::invalid_argument unless |a - b| <= c
/// <= a + b and all are at most Irreps::kMaxDegree.
std::vector<double> wigner_3j(int a, int b, int c);

/// A non-zero entry of wigner_3j().
struct Coupling {
  int first, second, third;  ///< components
  double value;
};

/// The non-zero entries of wigner_3j(), ordered by the third component.
std::vector<Coupling> couplings(int a, int b, int c);

/// One path of the tensor product. It multiplies a block of the input by a harmonic, and adds the product to
/// a block of the output.
struct ProductPath {
  std::size_t in, harmonic, out;  ///< indices of the blocks
  std::int64_t in_channels, out_channels;
  std::int64_t first_weight;        ///< start of the weights [in_channels, out_channels] of the path
  double scale;                     ///< factor that keeps the variance of the output at 1 (TensorProduct)
  std::vector<Coupling> couplings;  ///< components of the input, the harmonic and the output
};

/// The fully connected tensor product of rows with spherical harmonics:
///
///     out[w, k] = sum over p of scale_p *
///                 sum over u, i, j of W_p[u, w] wigner_3j[i, j, k] in[u, i] harmonic[j]
///
/// p is a path: it couples a block of the input and a harmonic to a block of the output. The sum is over all
/// paths to the output block with channel w. u is a channel of the input block of the path, and i, j and k
/// are components. scale_p = sqrt((2 l_out + 1) / n), where l_out is the degree of the output block, and n is
/// the number of input channels of all paths to this block. Standard normal weights and inputs then give
/// outputs of variance 1 (the "component" normalisation of e3nn). paths() is sorted by input block, then by
/// harmonic, then by output block.
class TensorProduct {
 public:
  TensorProduct(Irreps in, int most_degree, Irreps out);

  const Irreps& in() const { return in_; }
  const Irreps& harmonics() const { return harmonics_; }
  const Irreps& out() const { return out_; }
  const std::vector<ProductPath>& paths() const { return paths_; }
  /// The number of weights of all paths. For example, it is 4,800 for the input 32x0e + 16x1o + 8x2e,
  /// harmonics of degrees 0 to 2, and the output 56x0e + 16x1o + 8x2e.
  std::int64_t weights() const { return weights_; }

 private:
  Irreps in_, harmonics_, out_;
  std::vector<ProductPath> paths_;
  std::int64_t weights_ = 0;
};

}  // namespace molgauge::ops
