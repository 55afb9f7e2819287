#pragma once

#include <span>

namespace headroom::ood {

/// A score becomes the probability that a molecule is out of distribution: 1 / (1 + exp(-(slope * score +
/// intercept))), by Platt's method (Platt 1999, "Probabilistic outputs for support vector machines").
struct PlattScaling {
  double slope = 1, intercept = 0;

  double probability(double score) const;
};

/// The sigmoid of the largest likelihood for scores of in-distribution and of OOD molecules, with Platt's
/// targets (n + 1) / (n + 2) and 1 / (n + 2), which keep the numbers finite if the scores separate the sides
/// completely. The probability refers to a mixture with the proportions of these scores. Newton's method with
/// step halving (Lin, Lin and Weng 2007, Machine Learning 68:267). The slope is not negative: if OOD
/// molecules do not have larger scores, all molecules get the share of the OOD ones. Throws InputError when a
/// side is empty or a score is not finite.
PlattScaling fit_platt(std::span<const float> id, std::span<const float> ood);

/// The threshold up to which a molecule counts as in distribution: the smallest of the held-out scores such
/// that a further molecule drawn like theirs lies at or below it with at least the probability `id_recall`,
/// in (0, 1). With n scores that is the ceil((n + 1) id_recall)-th smallest (the quantile of split conformal
/// prediction, Lei and others 2018, DOI 10.1080/01621459.2017.1307116). If n is too small, it is the largest
/// score, and `is_met` is false. Throws InputError if there are no scores.
struct ScoreThreshold {
  float score = 0;
  bool is_met = true;
};
ScoreThreshold threshold_at(std::span<const float> id_scores, double id_recall);

}  // namespace headroom::ood
