#pragma once

#include <ATen/ATen.h>

namespace molgauge::baselines {

/// A covariance matrix that was shrunk towards a multiple of the identity.
struct ShrunkCovariance {
  at::Tensor covariance;  ///< [p, p] float64: (1 - shrinkage) S + shrinkage mu I
  double shrinkage = 0;
  double mean_variance = 0;  ///< mu = trace(S) / p
};

/// Ledoit and Wolf (2004, "A well-conditioned estimator for large-dimensional covariance matrices") for rows
/// [n, p] that are centred already. With S = X'X/n, mu = tr(S)/p:
///   delta = (sum S_ij^2 - 2 mu tr S + p mu^2) / p,
///   beta = min((sum_ij ((X^2)'(X^2))_ij / n - sum S_ij^2) / (n p), delta), shrinkage = beta / delta.
/// The sum of (X^2)'(X^2) equals the sum of |x|^4 over the rows x, so X'X is the only matrix product.
/// Computed in float64, a block of rows at a time. Throws InputError if there are no rows.
ShrunkCovariance ledoit_wolf(const at::Tensor& centred);

}  // namespace molgauge::baselines
