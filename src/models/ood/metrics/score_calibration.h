#pragma once

#include <span>

namespace headroom::ood {

/// Converts a score into the probability that a molecule is out of distribution: 1 / (1 + exp(-(slope * score
/// + intercept))). This is Platt scaling (Platt 1999, "Probabilistic outputs for support vector machines").
struct PlattScaling {
  double slope = 1, intercept = 0;

  double probability(double score) const;
};

/// Fits the sigmoid by maximum likelihood to scores of in-distribution and OOD molecules. Uses the targets of
/// Platt, (n + 1) / (n + 2) and 1 / (n + 2). They keep the numbers finite if the scores separate the sides
/// completely. The probability refers to a mixture with the proportions of these scores. Uses the method of
/// Newton with step halving (Lin, Lin and Weng 2007, Machine Learning 68:267). The slope is never negative.
/// If OOD molecules do not have larger scores, all molecules get the same probability, the share of OOD
/// molecules. Throws InputError if a side is empty or a score is not finite.
PlattScaling fit_platt(std::span<const float> id, std::span<const float> ood);

/// Computes the threshold up to which a molecule counts as in distribution. A new molecule from the same
/// distribution has at most this score with a probability of at least `id_recall`, in (0, 1). With n held-out
/// scores, the threshold is the ceil((n + 1) id_recall)-th smallest score (the quantile of split conformal
/// prediction, Lei and others 2018, DOI 10.1080/01621459.2017.1307116). If n is too small, it is the largest
/// score, and `is_met` is false. Throws InputError if there are no scores.
struct ScoreThreshold {
  float score = 0;
  bool is_met = true;
};
ScoreThreshold threshold_at(std::span<const float> id_scores, double id_recall);

}  // namespace headroom::ood
