#include "molecules/baselines/detectors/logit_scores.h"

#include <algorithm>
#include <cmath>

namespace molgauge::baselines {
namespace {

double log_sum_exp(std::span<const float> z, double temperature) {
  const double largest = *std::max_element(z.begin(), z.end()) / temperature;
  double sum = 0;
  for (const float value : z) {
    sum += std::exp(value / temperature - largest);
  }
  return largest + std::log(sum);
}

/// Calls score(logits of a row) for every row.
template <typename Score>
std::vector<float> for_each_row(const at::Tensor& logits, Score score) {
  const at::Tensor rows = logits.contiguous();
  const auto outputs = static_cast<std::size_t>(rows.size(1));
  const float* next = rows.data_ptr<float>();
  std::vector<float> scores(static_cast<std::size_t>(rows.size(0)));
  for (float& own : scores) {
    own = static_cast<float>(score(std::span<const float>(next, outputs)));
    next += outputs;
  }
  return scores;
}

template <typename Value>
double mean_over(std::span<const float> z, Value value) {
  double sum = 0;
  for (const float own : z) {
    sum += value(std::abs(static_cast<double>(own)));
  }
  return sum / static_cast<double>(z.size());
}

}  // namespace

std::vector<float> confidence(const at::Tensor& logits, LabelKind kind, double temperature) {
  return for_each_row(logits, [&](std::span<const float> z) {
    if (kind == LabelKind::classes) {
      return std::exp(*std::max_element(z.begin(), z.end()) / temperature - log_sum_exp(z, temperature));
    }
    // max(p, 1 - p) is the sigmoid of |z|.
    return mean_over(z, [&](double size) { return 1 / (1 + std::exp(-size / temperature)); });
  });
}

std::vector<float> free_energy(const at::Tensor& logits, LabelKind kind) {
  return for_each_row(logits, [&](std::span<const float> z) {
    return kind == LabelKind::classes
               ? -log_sum_exp(z, 1)
               : -mean_over(z, [](double size) { return size + std::log1p(std::exp(-2 * size)); });
  });
}

void probabilities(std::span<const float> logits, LabelKind kind, std::span<double> result) {
  const double all = kind == LabelKind::classes ? log_sum_exp(logits, 1) : 0;
  std::transform(logits.begin(), logits.end(), result.begin(), [&](double z) {
    return kind == LabelKind::classes ? std::exp(z - all) : 1 / (1 + std::exp(-z));
  });
}

}  // namespace molgauge::baselines
