#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/matrix/matrix.h"
#include "experiments/matrix/statistics.h"

namespace headroom::matrix {

/// A method, or one point of its grid, over all seeds. Means and deviations are over runs. With several data
/// seeds, the 95 % intervals are over the averages of the data seeds.
struct VariantSummary {
  std::string benchmark, encoder, method, variant;
  Estimate auroc, aupr, fpr95, validation_auroc;
  Estimate aupr_id_positive, fpr95_id_positive;  ///< counts of 0 if a run of an earlier version lacks them
  std::size_t failed = 0;                        ///< failed runs, which are not in the figures
};

/// Summaries in the order of the cells; a variant whose runs all failed has counts of 0.
std::vector<VariantSummary> summarize(const std::vector<CellOutcome>& outcomes);

/// The uncertainty of a difference in AUROC that comes from the choice of test molecules
/// (cluster_bootstrap.h).
struct BootstrapDifference {
  std::size_t id_scaffolds = 0, ood_scaffolds = 0;  ///< clusters with ID and with OOD test molecules
  double low = 0, high = 0;                         ///< 95 % percentile interval
  double p_value = 1;                               ///< two-sided, by the bootstrap standard error
  double p_holm = 1;                                ///< corrected over all comparisons that have one
};

/// Two variants on the same benchmark, encoder and seeds.
///
/// Runs with one data seed share their training and test molecules, so they are averaged first. With several
/// data seeds, the tested differences are those averages. With one data seed, they are the differences of
/// single runs: the p-value then covers the noise of training alone, which `averages_data_seeds` tells.
struct Comparison {
  std::string benchmark, encoder, first, second;
  std::size_t pairs = 0;             ///< runs of each variant that are compared
  std::size_t data_seeds = 0;        ///< different ones among them
  bool averages_data_seeds = false;  ///< whether the p-value is over data seeds
  double mean_difference = 0;        ///< AUROC of the first minus the second, mean over data seeds
  double p_value = 1;                ///< signed_rank_p_value()
  double p_holm = 1;                 ///< corrected over all comparisons of the matrix
  std::optional<BootstrapDifference> bootstrap;  ///< none until it is computed
};

/// Every pair of variants that share at least one seed.
std::vector<Comparison> compare(const std::vector<CellOutcome>& outcomes);

/// For every method with a grid, the point with the best mean AUROC on the validation molecules, independent
/// of the test molecules. The first of equal points.
std::vector<VariantSummary> choose_on_validation(const std::vector<VariantSummary>& summaries);

}  // namespace headroom::matrix
