#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "molecules/judging/predictions/difficulty.h"

namespace molgauge::domain {

/// The probability that a predicted class is wrong. It is a logistic regression on terms that grow with the
/// error, with coefficients that are not negative:
/// logit P(wrong) = a + c logit(p) + b1 t1 + b2 t2 + ...
/// Here, p is the calibrated probability of the other class, and c is not negative, too.
class WrongClassModel {
 public:
  /// Fits the model by penalised maximum likelihood. `others` [n]: calibrated probabilities of the other
  /// class. `terms` [n]. `wrong` [n]. With fewer than kMinOfAKind wrong or right molecules, P(wrong) is p.
  ///
  /// The penalty is 1 for the squared distance of (a, c, b1 s1, ...) from (0, 1, 0, ...), where s are the
  /// standard deviations of the terms. Terms are winsorised in the fit (winsor_limit()) and are centred.
  WrongClassModel(std::span<const double> others, const DifficultyTerms& terms,
                  const std::vector<bool>& wrong);

  static constexpr std::size_t kMinOfAKind = 10;

  /// The coefficients of the terms. Empty if the model is not fitted.
  std::span<const double> gradients() const { return gradients_; }
  bool is_fitted() const { return !gradients_.empty(); }
  /// `other`: calibrated probability of the other class. `terms`: as in the constructor.
  double probability(double other, std::span<const double> terms) const;

 private:
  double intercept_ = 0, slope_ = 1;
  std::vector<double> gradients_;  ///< empty if the model is not fitted
};

}  // namespace molgauge::domain
