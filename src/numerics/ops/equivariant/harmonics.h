#pragma once

#include <cstdint>

#include "numerics/ops/array.h"

/// What is computed of an edge before the first layer: its direction and its length.
namespace headroom::ops {

/// Real spherical harmonics of degrees 0 to `most` of the directions of `vectors` [n, 3]: [n, (most + 1)^2].
/// Those of a degree l have squares that add up to 2 l + 1, and their polar axis is y (data as e3nn's
/// "component"). A vector of length zero has 1 and then zeros. `most` is at most Irreps::kMaxDegree. Linear
/// in the number of vectors; the calling thread alone.
Floats spherical_harmonics(const Floats& vectors, int most);

/// The gradient in `vectors` [n, 3], given that in the harmonics [n, (most + 1)^2]; zero for a vector of
/// length zero.
Floats spherical_harmonics_backward(const Floats& vectors, int most, const Floats& gradient);

/// What a radial network is told of a length.
struct RadialBasis {
  std::int64_t functions = 8;
  double cutoff = 6.0;  ///< in Angstrom
};

/// Bessel functions times a smooth cutoff, [n, functions] of lengths [n] (Gasteiger et al. 2020,
/// arXiv:2003.03123, equations 7 and 8 with p = 6):
///
///     sqrt(2 / c) sin(f_j r) / r * (1 - 28 u^6 + 48 u^7 - 21 u^8),  u = r / c;  0 for u >= 1
///
/// `frequencies` [functions] are j pi / c. A length below 1e-8 counts as that.
Floats radial_basis(const Floats& lengths, const Floats& frequencies, double cutoff);

/// The frequencies j pi / c, j from 1 on.
Floats bessel_frequencies(const RadialBasis& basis);

}  // namespace headroom::ops
