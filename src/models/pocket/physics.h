#pragma once

#include <ATen/core/Tensor.h>

#include "models/pocket/tensor_operators.h"

namespace headroom::pocket {

/// Energies of pockets by the force field whose parameters their terms carry, in its normalised units. They
/// depend on the positions alone, not on the encoder: as a part of a loss they change no parameter.
struct PhysicsEnergies {
  /// One number a term: k (r - r0)^2 of bonds, k (theta - theta0)^2 of angles, k (1 + cos(n phi - phase)) of
  /// dihedrals, and of pairs min(A / r^12 - B / r^6, 100) with r at least 0.5 Angstrom. k is the attribute as
  /// it is, r0 = 2 attribute, theta0 = pi attribute, n = 6 attribute rounded, phase = 2 pi attribute, A and B
  /// = exp(attribute) - 1. The tensor is empty if there are no such terms.
  at::Tensor bonds, angles, dihedrals, pairs;

  /// The sum of the means of all kinds. Pairs are included only if `with_pairs`.
  at::Tensor total(bool with_pairs) const;
};

/// Differentiable in the positions.
PhysicsEnergies physics_energies(const BatchOf<TensorOperators>& batch);

}  // namespace headroom::pocket
