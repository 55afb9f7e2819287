#pragma once

#include <cstddef>
#include <span>

namespace molgauge::domain {

/// Returns the split-conformal quantile of n nonconformity scores. It is the k-th largest score, where
/// k = floor((1 - coverage) (n + 1)), or infinity if k is 0. If a new score is exchangeable with these
/// scores, it is at most the quantile with a probability of at least `coverage` (Papadopoulos et al. 2002,
/// Lei et al. 2018, arXiv:1604.04173). `coverage` is in (0, 1). It counts as a decimal number with nine
/// digits after the point, and k is computed exactly. crepes 0.9 computes k in double precision and truncates
/// it. If (1 - coverage) (n + 1) is an integer, crepes can lose one rank. For example, k is 1 for n = 9 and
/// coverage 0.9, but 0 in crepes.
double conformal_quantile(std::span<const double> scores, double coverage);

/// The least number of scores for which conformal_quantile() is finite: 9 for a coverage of 0.9.
std::size_t fewest_for_coverage(double coverage);

/// Whether a conformal p-value `rank` / (`scores` + 1) is larger than 1 - coverage. Computed exactly, like
/// conformal_quantile().
bool exceeds_error_rate(std::size_t rank, std::size_t scores, double coverage);

}  // namespace molgauge::domain
