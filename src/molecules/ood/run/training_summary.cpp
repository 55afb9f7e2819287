#include "molecules/ood/run/training_summary.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace molgauge::ood {
namespace {

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Returns part / whole, or 0 if `whole` is 0, because the files can contain only finite numbers.
double ratio(double part, double whole) { return whole == 0 ? 0 : part / whole; }

double deviation(std::span<const double> values) {
  const double centre = mean(values);
  double squares = 0;
  for (const double value : values) {
    squares += (value - centre) * (value - centre);
  }
  return std::sqrt(squares / static_cast<double>(values.size()));
}

double convergence_rate(std::span<const double> losses) {
  if (losses.size() < 2) {
    return 0;
  }
  const double before = mean(losses.first(losses.size() / 2));
  return ratio(before - mean(losses.subspan(losses.size() / 2)), before);
}

}  // namespace

TrainingSummary summarize_training(const std::vector<EpochRecord>& epochs) {
  std::vector<double> losses, norms;
  for (const EpochRecord& epoch : epochs) {
    losses.push_back(epoch.train_loss);
    norms.push_back(epoch.gradient_norm);
  }
  return {.final_train_loss = epochs.back().train_loss,
          .final_validation_loss = epochs.back().validation_loss,
          .mean_gradient_norm = mean(norms),
          .largest_gradient_norm = *std::max_element(norms.begin(), norms.end()),
          .convergence_rate = convergence_rate(losses),
          .stability_score = 1 / (1 + ratio(deviation(losses), mean(losses)))};
}

}  // namespace molgauge::ood
