#pragma once

#include <span>

namespace molgauge::ood {

/// Converts a score into the probability that a molecule is out of distribution: 1 / (1 + exp(-(slope * score
/// + intercept))). This is Platt scaling (Platt 1999, "Probabilistic outputs for support vector machines").
struct PlattScaling {
  double slope = 1, intercept = 0;

  double probability(double score) const;
};

/// Fits the sigmoid to ID and OOD scores by maximum likelihood. The target values are (n + 1) / (n + 2) for
/// the n OOD scores and 1 / (n + 2) for the n ID scores, as in Platt's paper. They keep the parameters finite
/// if the scores separate the groups completely. The method is Newton's method with step halving (Lin, Lin
/// and Weng 2007, Machine Learning 68:267).
///
/// The probability is valid for a mixture with the same proportions of ID and OOD molecules. The slope is
/// never negative. If OOD molecules do not have larger scores, all molecules get the same probability, which
/// is the share of OOD molecules. Throws InputError if the ID or the OOD scores are empty, or if a score is
/// not finite.
PlattScaling fit_platt(std::span<const float> id, std::span<const float> ood);

/// A threshold for scores. Molecules with a score up to the threshold count as in distribution. A new
/// in-distribution molecule has at most this score with a probability of at least `id_recall`, in (0, 1).
///
/// With n held-out scores, the threshold is the ceil((n + 1) id_recall)-th smallest score. This is the
/// quantile of split conformal prediction (Lei and others 2018, DOI 10.1080/01621459.2017.1307116). If n is
/// too small, the threshold is the largest score, and `is_met` is false. threshold_at() throws InputError if
/// there are no scores.
struct ScoreThreshold {
  float score = 0;
  bool is_met = true;
};
ScoreThreshold threshold_at(std::span<const float> id_scores, double id_recall);

}  // namespace molgauge::ood
