#pragma once

#include <ATen/core/Tensor.h>

#include "pockets/tensor_operators.h"

namespace molgauge::pocket {

/// Energies of pockets, computed from the force-field parameters of their terms, in normalised units.
/// Energies depend only on the positions and not on the encoder. They therefore add no gradient to the
/// parameters if they are part of a loss.
struct PhysicsEnergies {
  /// The energy of each term. Bonds: k (r - r0)^2. Angles: k (theta - theta0)^2.
  /// Dihedrals: k (1 + cos(n phi - phase)). Pairs: min(A / r^12 - B / r^6, 100), with r at least 0.5
  /// Angstrom. Each constant comes from an attribute x of the term: k = x, r0 = 2 x, theta0 = pi x, n = 6 x
  /// (rounded), phase = 2 pi x, A = exp(x) - 1 and B = exp(x) - 1. The tensor of a kind without terms is
  /// empty.
  at::Tensor bonds, angles, dihedrals, pairs;

  /// The sum of the means of all kinds. Pairs are included only if `with_pairs` is true.
  at::Tensor total(bool with_pairs) const;
};

/// Computes the energies. Autograd can differentiate them with respect to the positions.
PhysicsEnergies physics_energies(const BatchOf<TensorOperators>& batch);

}  // namespace molgauge::pocket
