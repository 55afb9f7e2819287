#pragma once

#include <optional>
#include <string>
#include <vector>

#include "molecules/experiments/matrix/matrix.h"
#include "molecules/experiments/matrix/statistics.h"

namespace molgauge::matrix {

/// A method, or a point of its grid, over all seeds. Means and deviations are over runs. With several data
/// seeds, the 95 % intervals are over the averages of the data seeds.
struct VariantSummary {
  std::string benchmark, encoder, method, variant;
  Estimate auroc, aupr, fpr95, validation_auroc;
  Estimate aupr_id_positive, fpr95_id_positive;
  std::size_t failed = 0;  ///< number of failed runs, which are not in the estimates
};

/// Summarises the variants in the order of the cells. If all runs of a variant failed, its counts are 0.
std::vector<VariantSummary> summarize(const std::vector<CellOutcome>& outcomes);

/// The uncertainty of a difference in AUROC that results from the choice of test molecules
/// (cluster_bootstrap.h).
struct BootstrapDifference {
  std::size_t id_scaffolds = 0, ood_scaffolds = 0;  ///< clusters with ID and with OOD test molecules
  double low = 0, high = 0;                         ///< 95 % percentile interval
  double p_value = 1;                               ///< two-sided, from the bootstrap standard error
  double p_holm = 1;                                ///< corrected over all comparisons that have a bootstrap
};

/// The comparison of two variants on the same benchmark, encoder and seeds.
///
/// Runs with one data seed share their training and test molecules, so they are averaged first. With several
/// data seeds, the differences of these averages are tested. With one data seed, the differences of single
/// runs are tested. The p-value then covers only the noise of training, and `averages_data_seeds` is false.
struct Comparison {
  std::string benchmark, encoder, first, second;
  std::size_t pairs = 0;             ///< number of compared runs of each variant
  std::size_t data_seeds = 0;        ///< number of different data seeds
  bool averages_data_seeds = false;  ///< whether the p-value is over data seeds
  double mean_difference = 0;        ///< AUROC of the first minus AUROC of the second, mean over data seeds
  double p_value = 1;                ///< signed_rank_p_value()
  double p_holm = 1;                 ///< corrected over all comparisons of the matrix
  std::optional<BootstrapDifference> bootstrap;  ///< empty until add_bootstrap() sets it
};

/// Compares all pairs of variants that share at least one seed.
std::vector<Comparison> compare(const std::vector<CellOutcome>& outcomes);

/// Returns for every method with a grid the point with the highest mean AUROC on the validation molecules.
/// The choice does not depend on the test molecules. If several points are equal, returns the first of them.
std::vector<VariantSummary> choose_on_validation(const std::vector<VariantSummary>& summaries);

}  // namespace molgauge::matrix
