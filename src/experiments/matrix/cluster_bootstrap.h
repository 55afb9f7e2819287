#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/matrix/matrix.h"
#include "experiments/matrix/summary.h"

/// How far a difference between two methods depends on the test molecules that happened to be drawn.
namespace headroom::matrix {

/// The test molecules of a run. Molecules with equal cluster texts are drawn together, because molecules of
/// one scaffold resemble each other and are not independent.
struct TestScores {
  std::vector<float> id, ood;                          ///< larger: further out of distribution
  std::vector<std::string> id_clusters, ood_clusters;  ///< one for each score; never empty texts
};

/// Reads the test scores of a cell. Nothing if they are missing: its comparisons then lack a bootstrap.
using ReadTestScores = std::function<std::optional<TestScores>(const Cell&)>;

/// Sets Comparison::bootstrap by the paired cluster bootstrap (Field and Welsh 2007, DOI
/// 10.1111/j.1467-9868.2007.00593.x). The clusters of a benchmark are drawn with replacement 2,000 times.
/// Each drawing gives every run of every method an AUROC on the same molecules, and every comparison a mean
/// difference, averaged within a data seed first. A cluster is drawn equally often for all data seeds. The
/// interval is between the 2.5 % and the 97.5 % quantile of these differences. The p-value is that of the
/// measured difference divided by their standard deviation, in a normal distribution, so that its smallest
/// value does not depend on the number of drawings.
///
/// The models are fixed: the interval contains neither the noise of training nor the choice of training
/// molecules. It is a rough guide with fewer than some 20 clusters on a side.
///
/// Comparisons stay without a bootstrap if a run has no scores, if ID or OOD molecules belong to a single
/// cluster, and on a benchmark with more than 1,000 runs with one encoder, which is logged.
void add_bootstrap(std::vector<Comparison>& comparisons, const std::vector<CellOutcome>& outcomes,
                   const ReadTestScores& read);

}  // namespace headroom::matrix
