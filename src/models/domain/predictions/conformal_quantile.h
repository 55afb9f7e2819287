#pragma once

#include <cstddef>
#include <span>

namespace headroom::domain {

/// Returns the split-conformal quantile of nonconformity scores: the k-th largest one for
/// k = floor((1 - coverage) (n + 1)). If a new score is exchangeable with them, it is at most this value with
/// a probability of at least `coverage` (Papadopoulos et al. 2002, Lei et al. 2018, arXiv:1604.04173).
/// (1 - coverage) (n + 1) is computed in double precision and truncated, as in crepes 0.9. At n = 9 and
/// coverage 0.9 rounding makes k one smaller than in exact arithmetic, which is conservative. Infinity if k
/// is 0. `coverage` is in (0, 1).
double conformal_quantile(std::span<const double> scores, double coverage);

/// The least number of scores for which conformal_quantile() is finite.
std::size_t fewest_for_coverage(double coverage);

}  // namespace headroom::domain
