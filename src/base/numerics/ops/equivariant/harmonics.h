#pragma once

#include <cstdint>

#include "base/numerics/ops/array.h"

/// Features of an edge before the first layer: spherical harmonics of its direction, and a radial basis of
/// its length.
namespace molgauge::ops {

/// Returns the real spherical harmonics of degrees 0 to `most` for the directions of `vectors` [n, 3]. The
/// result is [n, (most + 1)^2]. The squares of degree l sum to 2 l + 1, and the polar axis is y (the
/// "component" normalisation of e3nn). For a vector of length zero, degree 0 is 1 and the other degrees are
/// zero. `most` is at most Irreps::kMaxDegree. Uses one thread. Time is linear in n.
Floats spherical_harmonics(const Floats& vectors, int most);

/// Computes the gradient with respect to `vectors` [n, 3] from the gradient with respect to the harmonics [n,
/// (most + 1)^2]. The gradient of a vector of length zero is zero.
Floats spherical_harmonics_backward(const Floats& vectors, int most, const Floats& gradient);

/// Parameters of the radial basis of a length.
struct RadialBasis {
  std::int64_t functions = 8;
  double cutoff = 6.0;  ///< cutoff in Angstrom
};

/// Bessel functions times a smooth cutoff: lengths [n] -> [n, functions] (Gasteiger et al. 2020,
/// arXiv:2003.03123, equations 7 and 8 with p = 6):
///
///     sqrt(2 / c) sin(f_j r) / r * (1 - 28 u^6 + 48 u^7 - 21 u^8),  u = r / c;  0 for u >= 1
///
/// c is `cutoff`. f_j is element j of `frequencies` [functions], initially j pi / c. Lengths below 1e-8 are
/// raised to 1e-8.
Floats radial_basis(const Floats& lengths, const Floats& frequencies, double cutoff);

/// The frequencies j pi / c for j = 1, 2, ...
Floats bessel_frequencies(const RadialBasis& basis);

}  // namespace molgauge::ops
