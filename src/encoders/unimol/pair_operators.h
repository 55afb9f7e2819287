#pragma once

#include "ops/operators.h"

/// Operators on plain arrays that only Uni-Mol needs.
namespace headroom::encoders::unimol {

/// Parameters of Gaussian features of distances: for each kind of pair a factor and an offset, for each
/// kernel a mean and a width, of which the absolute value counts.
struct GaussianKernels {
  ops::Floats factors, offsets;  ///< [kinds, 1]
  ops::Floats means, widths;     ///< [1, K]
};

/// Gaussian features of distances [P] between pairs of these kinds [P]: with y = factor * distance + offset
/// and s = |width| + 1e-5, exp(-((y - mean) / s)^2 / 2) / (s sqrt(2 * 3.14159)); [P, K]. The constant is the
/// published network's.
ops::Floats gaussian_features(const ops::Floats& distances, const ops::Integers& kinds,
                              const GaussianKernels& kernels);

/// Attention of `heads` heads within molecules, whose logits are added to what the layers before have left:
///
///     pairs[i, j, h] += q[i, h] . k[j, h] / sqrt(width of a head)
///     out[i, h] = sum over j of softmax_j(pairs[i, j, h]) v[j, h]
///
/// joint [n, 3 width]: queries, keys and values; pairs [P, heads], changed in place; returns [n, width]. The
/// numbers of a molecule are added up in one order, independent of the others.
ops::Floats attend(const ops::Floats& joint, ops::Floats& pairs, const ops::Segments& molecules,
                   std::int64_t heads);

struct PairOperators : ops::Operators {
  using Integers = ops::Integers;
  using GaussianKernels = unimol::GaussianKernels;
  static constexpr auto gaussian_features = unimol::gaussian_features;
  static constexpr auto attend = unimol::attend;
};

}  // namespace headroom::encoders::unimol
