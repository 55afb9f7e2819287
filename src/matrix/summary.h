#pragma once

#include <string>
#include <vector>

#include "matrix/matrix.h"
#include "matrix/statistics.h"

namespace headroom::matrix {

/// A method, or one point of its grid, over all seeds.
struct VariantSummary {
  std::string benchmark, encoder, method, variant;
  Estimate auroc, aupr, fpr95, validation_auroc;
  std::size_t failed = 0;  ///< failed runs, which are not in the figures
};

/// Summaries in the order of the cells; a variant whose runs all failed has counts of 0.
std::vector<VariantSummary> summarize(const std::vector<CellOutcome>& outcomes);

/// Two variants on the same benchmark, encoder and seeds.
struct Comparison {
  std::string benchmark, encoder, first, second;
  std::size_t pairs = 0;
  double mean_difference = 0;  ///< AUROC of the first minus AUROC of the second
  double p_value = 1;          ///< signed_rank_p_value
};

/// Every pair of variants that share at least one seed.
std::vector<Comparison> compare(const std::vector<CellOutcome>& outcomes);

/// For every method with a grid, the point with the best mean AUROC on the validation molecules, independent
/// of the test molecules. The first of equal points.
std::vector<VariantSummary> choose_on_validation(const std::vector<VariantSummary>& summaries);

}  // namespace headroom::matrix
