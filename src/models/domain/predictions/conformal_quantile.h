#pragma once

#include <cstddef>
#include <span>

namespace headroom::domain {

/// Returns the split-conformal quantile of n nonconformity scores. It is the k-th largest score, where
/// k = floor((1 - coverage) (n + 1)), or infinity if k is 0. If a new score is exchangeable with these
/// scores, it is at most the quantile with a probability of at least `coverage` (Papadopoulos et al. 2002,
/// Lei et al. 2018, arXiv:1604.04173). The product (1 - coverage) (n + 1) is computed in double precision and
/// truncated, as in crepes 0.9. For n = 9 and coverage 0.9, rounding errors make k 0 instead of 1. This is
/// conservative. `coverage` is in (0, 1).
double conformal_quantile(std::span<const double> scores, double coverage);

/// The least number of scores for which conformal_quantile() is finite.
std::size_t fewest_for_coverage(double coverage);

}  // namespace headroom::domain
