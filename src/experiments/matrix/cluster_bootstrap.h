#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/matrix/matrix.h"
#include "experiments/matrix/summary.h"

/// The uncertainty of a difference between two methods that comes from the choice of test molecules.
namespace headroom::matrix {

/// The test molecules of a run. Molecules with the same cluster text are drawn together, because molecules
/// with the same scaffold are similar and not independent.
struct TestScores {
  std::vector<float> id, ood;                          ///< higher: further out of distribution
  std::vector<std::string> id_clusters, ood_clusters;  ///< one for each score; never empty texts
};

/// Reads the test scores of a cell. Returns nothing if they are missing, and its comparisons then have no
/// bootstrap.
using ReadTestScores = std::function<std::optional<TestScores>(const Cell&)>;

/// Sets Comparison::bootstrap with the paired cluster bootstrap (Field and Welsh 2007, DOI
/// 10.1111/j.1467-9868.2007.00593.x). The clusters of a benchmark are drawn with replacement 2,000 times.
/// Each sample gives every run of every method an AUROC on the same molecules. It gives every comparison a
/// mean difference, averaged within each data seed first. A cluster is drawn equally often for all data
/// seeds. The interval lies between the 2.5 % and the 97.5 % quantile of these differences. The p-value comes
/// from the measured difference divided by their standard deviation, in a normal distribution. Its smallest
/// value therefore does not depend on the number of samples.
///
/// The models are fixed, so the interval does not include the noise of training or the choice of training
/// molecules. With fewer than about 20 clusters on a side, it is a rough guide.
///
/// A comparison has no bootstrap if a run has no scores, or if all ID or OOD molecules belong to one cluster.
/// The same holds for a benchmark with more than 1,000 runs with one encoder, which is logged.
void add_bootstrap(std::vector<Comparison>& comparisons, const std::vector<CellOutcome>& outcomes,
                   const ReadTestScores& read);

}  // namespace headroom::matrix
