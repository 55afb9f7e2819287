#pragma once

#include <ATen/core/Tensor.h>

#include "models/pocket/tensor_operators.h"

namespace headroom::pocket {

/// Energies of pockets, computed from the force-field parameters in their terms, in normalised units.
/// Energies depend only on the positions and not on the encoder. In a loss, they therefore change no
/// parameter.
struct PhysicsEnergies {
  /// One number for each term: k (r - r0)^2 for bonds, k (theta - theta0)^2 for angles, k (1 + cos(n phi -
  /// phase)) for dihedrals, and min(A / r^12 - B / r^6, 100) for pairs, with r at least 0.5 Angstrom. k is
  /// the attribute, r0 = 2 attribute, theta0 = pi attribute, n = 6 attribute (rounded), phase = 2 pi
  /// attribute, A and B = exp(attribute) - 1. The tensor is empty if there are no such terms.
  at::Tensor bonds, angles, dihedrals, pairs;

  /// The sum of the means of all kinds. Pairs are included only if `with_pairs` is true.
  at::Tensor total(bool with_pairs) const;
};

/// The energies can be differentiated with respect to the positions.
PhysicsEnergies physics_energies(const BatchOf<TensorOperators>& batch);

}  // namespace headroom::pocket
