#include "molecules/baselines/classifier/classifier_loss.h"

#include <algorithm>
#include <cmath>

namespace molgauge::baselines {
namespace {

/// log(1 + exp(x)) without overflow.
double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

double sigmoid(double x) { return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x)); }

}  // namespace

double cross_entropy(const LabelledLogits& batch, float* gradient) {
  double total = 0;
  for (std::size_t i = 0; i < batch.rows; ++i) {
    const float* const z = batch.logits + i * batch.outputs;
    float* const g = gradient + i * batch.outputs;
    const bool is_outlier = std::isnan(batch.labels[i]);
    const auto label = is_outlier ? batch.outputs : static_cast<std::size_t>(batch.labels[i]);
    const float largest = *std::max_element(z, z + batch.outputs);
    float sum = 0;
    for (std::size_t j = 0; j < batch.outputs; ++j) {
      g[j] = std::exp(z[j] - largest);
      sum += g[j];
    }
    const float uniform = 1 / static_cast<float>(batch.outputs);
    float of_target = 0;
    for (std::size_t j = 0; j < batch.outputs; ++j) {
      const float target = is_outlier ? uniform : j == label ? 1.0F : 0.0F;
      const float slope = (g[j] / sum - target) / static_cast<float>(batch.rows);
      g[j] = is_outlier ? kOutlierWeight * slope : slope;
      of_target += is_outlier ? uniform * z[j] : 0;
    }
    const float loss = std::log(sum) + largest - (is_outlier ? of_target : z[label]);
    total += is_outlier ? kOutlierWeight * loss : loss;
  }
  return total / static_cast<double>(batch.rows);
}

double squared_error(const LabelledLogits& batch, float* gradient) {
  double total = 0;
  for (std::size_t i = 0; i < batch.rows; ++i) {
    const float difference = batch.logits[i] - batch.labels[i];
    gradient[i] = 2 * difference / static_cast<float>(batch.rows);
    total += static_cast<double>(difference) * difference;
  }
  return total / static_cast<double>(batch.rows);
}

double masked_binary_cross_entropy(const LabelledLogits& batch, const std::vector<float>& positive_weight,
                                   float* gradient) {
  const std::size_t count = batch.rows * batch.outputs;
  double total = 0;
  std::size_t known = 0;
  for (std::size_t i = 0; i < count; ++i) {
    gradient[i] = 0;
    if (std::isnan(batch.labels[i])) {
      continue;
    }
    ++known;
    const double z = batch.logits[i], weight = positive_weight[i % batch.outputs];
    const bool positive = batch.labels[i] > 0.5F;
    total += positive ? weight * softplus(-z) : softplus(z);
    gradient[i] = static_cast<float>(positive ? weight * (sigmoid(z) - 1) : sigmoid(z));
  }
  if (known == 0) {
    return 0;
  }
  for (std::size_t i = 0; i < count; ++i) {
    gradient[i] /= static_cast<float>(known);
  }
  return total / static_cast<double>(known);
}

std::vector<float> positive_weights(const Labels& tasks) {
  const std::int64_t columns = tasks.values.size(1);
  std::vector<float> positives(static_cast<std::size_t>(columns)), negatives(positives);
  const float* const values = tasks.values.data_ptr<float>();
  for (std::int64_t i = 0; i < tasks.values.numel(); ++i) {
    const auto task = static_cast<std::size_t>(i % columns);
    positives[task] += values[i] == 1 ? 1.0F : 0.0F;
    negatives[task] += values[i] == 0 ? 1.0F : 0.0F;
  }
  for (std::size_t task = 0; task < positives.size(); ++task) {
    positives[task] = positives[task] > 0 ? negatives[task] / positives[task] : 1.0F;
  }
  return positives;
}

}  // namespace molgauge::baselines
