#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "molecules/experiments/matrix/matrix.h"
#include "molecules/experiments/matrix/summary.h"

/// The uncertainty of the difference between two methods, as far as it comes from the choice of test
/// molecules.
namespace molgauge::matrix {

/// The test molecules of a run. Molecules with the same cluster text are drawn together, because molecules
/// with the same scaffold are similar and not independent.
struct TestScores {
  std::vector<float> id, ood;                          ///< a higher score means further out of distribution
  std::vector<std::string> id_clusters, ood_clusters;  ///< cluster of each score. Never an empty text
};

/// Reads the test scores of a cell. Returns nothing if the scores are missing. The comparisons of this cell
/// then have no bootstrap.
using ReadTestScores = std::function<std::optional<TestScores>(const Cell&)>;

/// Sets Comparison::bootstrap with the paired cluster bootstrap (Field and Welsh 2007, DOI
/// 10.1111/j.1467-9868.2007.00593.x). The clusters of a benchmark are drawn with replacement 2,000 times. For
/// each sample, the AUROC of every run is computed on the same molecules. For every comparison and sample,
/// the AUROC differences are averaged within each data seed and then over the data seeds. In one sample, a
/// cluster is drawn equally often for all data seeds. The interval extends from the 2.5 % to the 97.5 %
/// quantile of these mean differences. For the p-value, the measured difference is divided by the standard
/// deviation of these mean differences and compared with a normal distribution. The smallest possible p-value
/// therefore does not depend on the number of samples.
///
/// The models are fixed, so the interval does not include the noise of training or the choice of training
/// molecules. With fewer than about 20 ID clusters or OOD clusters, the interval is only a rough guide.
///
/// A comparison has no bootstrap if a run has no scores, or if all ID or OOD molecules belong to one cluster.
/// It also has no bootstrap if a benchmark has more than 1,000 runs with one encoder. This case is logged.
void add_bootstrap(std::vector<Comparison>& comparisons, const std::vector<CellOutcome>& outcomes,
                   const ReadTestScores& read);

}  // namespace molgauge::matrix
