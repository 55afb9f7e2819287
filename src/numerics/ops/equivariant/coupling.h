#pragma once

#include <vector>

#include "numerics/ops/equivariant/irreps.h"

/// How two irreducible representations make a third.
namespace headroom::ops {

/// The 3j symbols of degrees a, b and c for real spherical harmonics: [2a+1, 2b+1, 2c+1], row-major. They are
/// the one tensor, up to a factor, that no rotation changes. The squares of its numbers add up to 1, and its
/// sign is that of the Clebsch-Gordan coefficients of Condon and Shortley after the change to real harmonics
/// whose polar axis is y (e3nn's convention; Geiger and Smidt 2022, arXiv:2207.09453). Computed by Racah's
/// formula (Varshalovich et al. 1988, Quantum Theory of Angular Momentum, equation 8.2.1(3)). Throws
/// std::invalid_argument unless |a - b| <= c <= a + b and all are at most Irreps::kMaxDegree.
std::vector<double> wigner_3j(int a, int b, int c);

/// A number of wigner_3j() that is not zero.
struct Coupling {
  int first, second, third;  ///< components
  double value;
};

/// Those numbers, ordered by the third component.
std::vector<Coupling> couplings(int a, int b, int c);

/// One way in which a channel of the input, times a spherical harmonic, adds to a channel of the output.
struct ProductPath {
  std::size_t in, harmonic, out;  ///< blocks
  std::int64_t in_channels, out_channels;
  std::int64_t first_weight;        ///< its weights are [in_channels, out_channels] from here on
  double scale;                     ///< keeps the output's variance (TensorProduct)
  std::vector<Coupling> couplings;  ///< (component of the input, of the harmonic, of the output)
};

/// The fully connected tensor product of rows with spherical harmonics:
///
///     out[w, k] = sum over paths p to the block of w of scale_p *
///                 sum over u, i, j of W_p[u, w] wigner_3j[i, j, k] in[u, i] harmonic[j]
///
/// There is a path for every block of the input, every harmonic and every block of the output that they
/// couple to, in this order. scale = sqrt((2 l_out + 1) / n), n the number of weights' rows of all paths to
/// the same block, so that standard normal weights and inputs give outputs of variance 1 (e3nn's
/// normalisation "component").
class TensorProduct {
 public:
  TensorProduct(Irreps in, int most_degree, Irreps out);

  const Irreps& in() const { return in_; }
  const Irreps& harmonics() const { return harmonics_; }
  const Irreps& out() const { return out_; }
  const std::vector<ProductPath>& paths() const { return paths_; }
  /// Weights of all paths: 4,800 from 32x0e + 16x1o + 8x2e and degree 2 to 56x0e + 16x1o + 8x2e.
  std::int64_t weights() const { return weights_; }

 private:
  Irreps in_, harmonics_, out_;
  std::vector<ProductPath> paths_;
  std::int64_t weights_ = 0;
};

}  // namespace headroom::ops
