#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "molecules/judging/environment_lists.h"

namespace molgauge::domain {

/// The Tanimoto similarities of counts (tanimoto()) between any molecule and a fixed list of molecules. An
/// index of the environments makes them faster than one comparison for each pair.
///
/// Memory: 8 bytes for each environment of each molecule. Thread safety: const methods may be called from
/// several threads at once.
class EnvironmentKernel {
 public:
  explicit EnvironmentKernel(const EnvironmentLists& molecules);

  std::size_t size() const { return totals_.size(); }
  /// The similarity to each molecule of the list, in order.
  std::vector<float> similarities(std::span<const Environment> query) const;

 private:
  struct Posting {
    std::uint32_t molecule = 0, count = 0;
  };
  std::unordered_map<std::uint32_t, std::vector<Posting>> postings_;  ///< by environment
  std::vector<std::uint32_t> totals_;                                 ///< sum of the counts of each molecule
};

/// One kernel ridge regression for each fold, fitted without the molecules of the fold, and one fitted to all
/// molecules. The kernel is a matrix of similarities.
class KernelRidge {
 public:
  static constexpr std::size_t kFits = 6;  ///< five folds and all molecules
  /// The coefficients of each molecule in each fit. They are 0 for the molecules that a fit leaves out.
  using Coefficients = std::vector<std::array<double, kFits>>;

  /// The penalty that is added to the diagonal of the kernel. On eleven public sets, every value from 0.03 to
  /// 0.3 gave mean absolute errors within 4 % of the best.
  static constexpr double kPenalty = 0.1;

  /// `kernel` [n, n], `values` [n], `fold_of` [n]: 0 to kFits - 2. The result does not depend on `threads`.
  /// Solves the equations by conjugate gradients up to a relative residual of 1e-6.
  KernelRidge(std::span<const float> kernel, std::span<const double> values,
              std::span<const std::size_t> fold_of, std::size_t threads);

  double mean(std::size_t fit) const { return means_[fit]; }
  /// The coefficient of a molecule in a fit.
  double coefficient(std::size_t molecule, std::size_t fit) const { return coefficients_[molecule][fit]; }
  /// The prediction for a molecule of the list by the fit without its fold.
  double out_of_fold(std::size_t molecule) const { return out_of_fold_[molecule]; }

 private:
  std::array<double, kFits> means_{};
  Coefficients coefficients_;
  std::vector<double> out_of_fold_;
};

}  // namespace molgauge::domain
