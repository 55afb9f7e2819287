#pragma once

#include <span>
#include <vector>

namespace molgauge::domain {

/// The two probabilities of class 1 of an inductive Venn-ABERS predictor.
struct ProbabilityPair {
  double lower = 0;  ///< p0: the new molecule counts as class 0
  double upper = 1;  ///< p1: the new molecule counts as class 1
  /// One probability that minimises the regret under log loss: p1 / (1 - p0 + p1).
  double merged() const { return upper / (1 - lower + upper); }
};

/// Inductive Venn-ABERS predictor (Vovk, Petej and Fedorova 2015, arXiv:1511.00213, algorithms 1 to 6).
///
/// p0 and p1 are the values of two isotonic regressions of the labels on the scores, at the new score. Both
/// use the calibration molecules and the new molecule. The new molecule counts as class 0 for p0 and as class
/// 1 for p1. One of the two is perfectly calibrated if the new molecule is exchangeable with the calibration
/// molecules. The constructor sorts the scores. After that, a probability takes two binary searches. Results
/// equal venn-abers 1.5 from PyPI.
class VennAbers {
 public:
  /// `scores` [n]: finite. `labels` [n]: 0 or 1. n is at least 1.
  VennAbers(std::span<const double> scores, const std::vector<bool>& labels);

  ProbabilityPair of(double score) const;

 private:
  std::vector<double> scores_;         ///< distinct, ascending
  std::vector<double> lower_, upper_;  ///< one more element than scores_
};

}  // namespace molgauge::domain
