#include "molecules/ood/metrics/score_calibration.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/core/error.h"

namespace molgauge::ood {
namespace {

struct Observation {
  double score, target;
};

/// Cross-entropy of the targets under the sigmoid of slope * score + intercept, without overflow.
double loss(const std::vector<Observation>& observations, const PlattScaling& scaling) {
  double sum = 0;
  for (const auto& [score, target] : observations) {
    const double z = scaling.slope * score + scaling.intercept;
    sum += std::max(z, 0.0) - target * z + std::log1p(std::exp(-std::abs(z)));
  }
  return sum;
}

/// Gradient and Hessian of the loss with respect to slope and intercept.
struct Curvature {
  double slope = 0, intercept = 0;
  double slope_slope = 0, slope_intercept = 0, intercept_intercept = 0;
};

Curvature curvature(const std::vector<Observation>& observations, const PlattScaling& scaling) {
  constexpr double kRidge = 1e-12;  // keeps the Hessian positive if the sides are separated
  Curvature sums{.slope_slope = kRidge, .intercept_intercept = kRidge};
  for (const auto& [score, target] : observations) {
    const double p = scaling.probability(score), weight = p * (1 - p);
    sums.slope += (p - target) * score;
    sums.intercept += p - target;
    sums.slope_slope += weight * score * score;
    sums.slope_intercept += weight * score;
    sums.intercept_intercept += weight;
  }
  return sums;
}

/// Returns the standardised scores, (score - mean) / deviation, with the target values of Platt.
std::vector<Observation> observe(std::span<const float> id, std::span<const float> ood, double mean,
                                 double deviation) {
  const auto positives = static_cast<double>(ood.size()), negatives = static_cast<double>(id.size());
  std::vector<Observation> observations;
  observations.reserve(id.size() + ood.size());
  for (const float score : id) {
    observations.push_back({(score - mean) / deviation, 1 / (negatives + 2)});
  }
  for (const float score : ood) {
    observations.push_back({(score - mean) / deviation, (positives + 1) / (positives + 2)});
  }
  return observations;
}

void require_scores(std::span<const float> scores, const char* side) {
  if (scores.empty()) {
    throw InputError(std::string("there are no scores of held-out ") + side + " molecules");
  }
  if (!std::all_of(scores.begin(), scores.end(), [](float score) { return std::isfinite(score); })) {
    throw InputError(std::string("a score of the held-out ") + side + " molecules is not a finite number");
  }
}

PlattScaling minimise(const std::vector<Observation>& observations, PlattScaling scaling) {
  constexpr int kMaxSteps = 100;
  constexpr double kSmallGradient = 1e-10, kSmallStep = 1e-10;
  double current = loss(observations, scaling);
  for (int step = 0; step < kMaxSteps; ++step) {
    const Curvature at = curvature(observations, scaling);
    if (std::abs(at.slope) < kSmallGradient && std::abs(at.intercept) < kSmallGradient) {
      break;
    }
    const double determinant =
        at.slope_slope * at.intercept_intercept - at.slope_intercept * at.slope_intercept;
    const double slope =
        -(at.intercept_intercept * at.slope - at.slope_intercept * at.intercept) / determinant;
    const double intercept = -(at.slope_slope * at.intercept - at.slope_intercept * at.slope) / determinant;
    double share = 1;
    bool gained = false;
    while (!gained && share > kSmallStep) {
      const PlattScaling next{scaling.slope + share * slope, scaling.intercept + share * intercept};
      const double there = loss(observations, next);
      if (there < current) {
        scaling = next;
        current = there;
        gained = true;
      }
      share /= 2;
    }
    if (!gained) {
      break;
    }
  }
  return scaling;
}

}  // namespace

double PlattScaling::probability(double score) const {
  const double z = slope * score + intercept;
  return z >= 0 ? 1 / (1 + std::exp(-z)) : std::exp(z) / (1 + std::exp(z));
}

PlattScaling fit_platt(std::span<const float> id, std::span<const float> ood) {
  require_scores(id, "in-distribution");
  require_scores(ood, "OOD");
  const auto count = static_cast<double>(id.size() + ood.size());
  double mean = 0, square = 0;
  for (const auto side : {id, ood}) {
    for (const float score : side) {
      mean += score / count;
    }
  }
  for (const auto side : {id, ood}) {
    for (const float score : side) {
      square += (score - mean) * (score - mean) / count;
    }
  }
  const double share = std::log((static_cast<double>(ood.size()) + 1) / (static_cast<double>(id.size()) + 1));
  const PlattScaling without_score{0, share};
  if (!(square > 0)) {
    return without_score;  // all scores are equal and carry no information
  }
  const double deviation = std::sqrt(square);
  const PlattScaling fitted = minimise(observe(id, ood, mean, deviation), without_score);
  if (!(fitted.slope > 0)) {
    return without_score;
  }
  const double slope = fitted.slope / deviation;
  return {slope, fitted.intercept - slope * mean};
}

ScoreThreshold threshold_at(std::span<const float> id_scores, double id_recall) {
  require_scores(id_scores, "in-distribution");
  std::vector<float> ascending(id_scores.begin(), id_scores.end());
  std::sort(ascending.begin(), ascending.end());
  const auto count = static_cast<double>(ascending.size());
  const double rank = std::ceil((count + 1) * id_recall);
  const double place = std::clamp(rank, 1.0, count);
  return {ascending[static_cast<std::size_t>(place) - 1], rank <= count};
}

}  // namespace molgauge::ood
