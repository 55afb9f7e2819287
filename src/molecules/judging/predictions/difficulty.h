#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace molgauge::domain {

/// The difficulty of a molecule: a linear estimate of the absolute error of its prediction, a + b1 t1 + b2 t2
/// + ..., with coefficients that are not negative. The terms t are numbers that grow with the error, such as
/// the distance and the uncertainty. The difficulty is the scale of normalised conformal intervals
/// (Papadopoulos et al. 2011, DOI 10.1613/jair.3198).
struct Difficulty {
  static constexpr std::size_t kMaxTerms = 8;
  double constant = 0;
  std::array<double, kMaxTerms> gradients{};  ///< unused elements are 0
  double least = 0;                           ///< the difficulty is never below this

  /// `terms`: one number for each gradient, at most kMaxTerms.
  double of(std::span<const double> terms) const;
};

/// The terms of many molecules. All terms of a molecule are consecutive.
class DifficultyTerms {
 public:
  /// `count`: number of terms of each molecule, 0 to Difficulty::kMaxTerms.
  explicit DifficultyTerms(std::size_t count) : count_(count) {}
  std::size_t count() const { return count_; }
  std::size_t size() const { return molecules_; }
  std::span<const double> of(std::size_t molecule) const {
    return std::span(values_).subspan(molecule * count_, count_);
  }
  /// `terms` [count()].
  void append(std::span<const double> terms) {
    values_.insert(values_.end(), terms.begin(), terms.end());
    ++molecules_;
  }

 private:
  std::size_t count_, molecules_ = 0;
  std::vector<double> values_;
};

/// Fits absolute errors [terms.size()] by weighted least squares with coefficients that are not negative. The
/// first fit has equal weights. Five further fits have the weights 1 / fitted^2. The least difficulty is a
/// tenth of the mean error.
///
/// Wild values do not decide the fit. An error counts as at most winsor_limit() times the fitted difficulty
/// of its molecule, where the limit is taken over errors divided by fitted difficulties. A term counts as at
/// most the winsor_limit() of this term.
///
/// Without terms, or if all errors are 0, the difficulty is 1 everywhere. `uses` marks the molecules that the
/// fit uses. If it is empty, the fit uses all molecules.
Difficulty fit_difficulty(const DifficultyTerms& terms, std::span<const double> errors,
                          const std::vector<bool>& uses = {});

/// Returns the difficulty of each molecule from a fit without the molecules of its fold. `fold_of`
/// [terms.size()]: fold of each molecule, 0 to folds - 1. Conformal scores with these difficulties are not
/// biased by the fit.
std::vector<double> cross_fitted_difficulties(const DifficultyTerms& terms, std::span<const double> errors,
                                              const std::vector<std::size_t>& fold_of, std::size_t folds);

}  // namespace molgauge::domain
