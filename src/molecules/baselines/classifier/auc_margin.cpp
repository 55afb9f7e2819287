#include "molecules/baselines/classifier/auc_margin.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "base/numerics/ops/training/optimizer_kernels.h"

namespace molgauge::baselines {
namespace {

constexpr double kLargestAlpha = 999;

double count(std::span<const float> labels, float label) {
  return static_cast<double>(std::count(labels.begin(), labels.end(), label));
}

}  // namespace

AucMarginValue auc_margin_loss(std::span<const float> scores, std::span<const float> labels,
                               const AucMarginVariables& variables, double margin,
                               std::span<float> gradient) {
  const double positives = count(labels, 1), n = std::max(1.0, positives + count(labels, 0));
  const double p = positives / n;
  const auto [a, b, alpha] = variables;
  AucMarginValue value;
  double difference = 0;  // the term mean(p s 1[y=0] - (1-p) s 1[y=1])
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double s = scores[i];
    double slope = 0;
    if (labels[i] == 1) {
      value.loss += (1 - p) * (s - a) * (s - a) / n;
      value.gradient.a -= 2 * (1 - p) * (s - a) / n;
      difference -= (1 - p) * s / n;
      slope = 2 * (1 - p) * (s - a - alpha) / n;
    } else if (labels[i] == 0) {
      value.loss += p * (s - b) * (s - b) / n;
      value.gradient.b -= 2 * p * (s - b) / n;
      difference += p * s / n;
      slope = 2 * p * (s - b + alpha) / n;
    }
    gradient[i] = static_cast<float>(slope);
  }
  value.loss += 2 * alpha * (p * (1 - p) * margin + difference) - p * (1 - p) * alpha * alpha;
  value.gradient.alpha = 2 * (p * (1 - p) * margin + difference) - 2 * p * (1 - p) * alpha;
  return value;
}

Pesg::Pesg(std::vector<float> reference, std::vector<AucMarginVariables> scalar_references,
           const PesgOptions& options)
    : options_(options),
      reference_(std::move(reference)),
      momentum_(reference_.size()),
      scalar_reference_(std::move(scalar_references)),
      scalar_momentum_(scalar_reference_.size()),
      variables_(scalar_reference_.size()) {}

Pesg Pesg::with_drawn_references(std::size_t parameters, std::size_t score_columns,
                                 const PesgOptions& options, std::uint64_t seed) {
  std::mt19937_64 bits(seed);
  std::normal_distribution<float> normal(0, 0.01F);
  std::vector<float> reference(parameters);
  std::generate(reference.begin(), reference.end(), [&] { return normal(bits); });
  std::vector<AucMarginVariables> scalars(score_columns);
  for (auto& scalar : scalars) {
    scalar.a = normal(bits);
    scalar.b = normal(bits);
  }
  return {std::move(reference), std::move(scalars), options};
}

void Pesg::step(std::span<float> parameters, std::span<const float> gradient,
                std::span<const AucMarginVariables> scalar_gradients) {
  const ops::PesgStep step{
      static_cast<float>(options_.learning_rate), first_ ? 1.0F : static_cast<float>(options_.momentum),
      static_cast<float>(options_.weight_decay), static_cast<float>(options_.epoch_decay)};
  ops::pesg_update(parameters.size(), step, gradient.data(), reference_.data(), parameters.data(),
                   momentum_.data());
  for (std::size_t column = 0; column < variables_.size(); ++column) {
    step_variables(column, scalar_gradients[column]);
  }
  first_ = false;
}

void Pesg::step_variables(std::size_t column, const AucMarginVariables& gradient) {
  const double momentum = first_ ? 1 : options_.momentum, rate = options_.learning_rate;
  const auto follow = [&](double& w, double& velocity, double slope, double reference) {
    const double g =
        std::clamp(slope, -1.0, 1.0) + options_.epoch_decay * (w - reference) + options_.weight_decay * w;
    velocity = (1 - momentum) * velocity + momentum * g;
    w -= rate * velocity;
  };
  AucMarginVariables& now = variables_[column];
  follow(now.a, scalar_momentum_[column].a, gradient.a, scalar_reference_[column].a);
  follow(now.b, scalar_momentum_[column].b, gradient.b, scalar_reference_[column].b);
  const double dual = 2 * (options_.margin + now.b - now.a) - 2 * now.alpha;
  now.alpha = std::clamp(now.alpha + rate * dual, 0.0, kLargestAlpha);
}

}  // namespace molgauge::baselines
