#include "molecules/baselines/detectors/logistic_fit.h"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "base/core/error.h"
#include "base/core/session/cancellation.h"

namespace molgauge::baselines {
namespace {

constexpr std::size_t kMaxIterations = 1000, kRemembered = 10, kMaxHalvings = 40;
constexpr double kTolerance = 1e-6;

/// The objective divided by c n, as a function of the parameters [width + 1], which end with the intercept.
class PenalisedLoss {
 public:
  PenalisedLoss(const at::Tensor& rows, const at::Tensor& labels, double c)
      : rows_(rows), labels_(labels), penalty_(1 / (c * static_cast<double>(rows.size(0)))) {}

  /// Returns the value. `gradient` receives the gradient.
  double value_at(const at::Tensor& parameters, at::Tensor& gradient) const {
    const std::int64_t width = rows_.size(1);
    const at::Tensor weights = parameters.narrow(0, 0, width);
    const at::Tensor logits = rows_.mv(weights).add_(parameters[width]);
    const at::Tensor losses = at::logaddexp(logits, at::zeros_like(logits)).sub_(labels_ * logits);
    const at::Tensor residuals = at::sigmoid(logits).sub_(labels_).div_(static_cast<double>(rows_.size(0)));
    gradient.narrow(0, 0, width).copy_(rows_.t().mv(residuals).add_(weights, penalty_));
    gradient[width] = residuals.sum();
    return losses.mean().item<double>() + penalty_ / 2 * weights.dot(weights).item<double>();
  }

 private:
  const at::Tensor& rows_;
  const at::Tensor& labels_;
  double penalty_;
};

/// The last steps, from which L-BFGS approximates the inverse of the Hessian matrix.
class Curvature {
 public:
  void add(const at::Tensor& step, const at::Tensor& change_of_gradient) {
    const auto product = step.dot(change_of_gradient).item<double>();
    if (product <= 0) {
      return;  // rounding: the objective is strictly convex in every direction but the intercept
    }
    pairs_.push_back({step, change_of_gradient, product});
    if (pairs_.size() > kRemembered) {
      pairs_.pop_front();
    }
  }

  /// Returns the direction of the next step (Nocedal and Wright 2006, algorithm 7.4).
  at::Tensor direction(const at::Tensor& gradient) const {
    at::Tensor result = gradient.neg();
    if (pairs_.empty()) {
      return result.div_(std::max(1.0, gradient.norm().item<double>()));
    }
    std::vector<double> shares(pairs_.size());
    for (std::size_t i = pairs_.size(); i-- > 0;) {
      shares[i] = pairs_[i].step.dot(result).item<double>() / pairs_[i].product;
      result.sub_(pairs_[i].change, shares[i]);
    }
    const Pair& last = pairs_.back();
    result.mul_(last.product / last.change.dot(last.change).item<double>());
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const double own = pairs_[i].change.dot(result).item<double>() / pairs_[i].product;
      result.add_(pairs_[i].step, shares[i] - own);
    }
    return result;
  }

 private:
  struct Pair {
    at::Tensor step, change;
    double product = 0;
  };
  std::deque<Pair> pairs_;
};

at::Tensor minimise(const PenalisedLoss& loss, at::Tensor parameters) {
  at::Tensor gradient = at::empty_like(parameters), next_gradient = at::empty_like(parameters);
  double value = loss.value_at(parameters, gradient);
  Curvature curvature;
  for (std::size_t i = 0; i < kMaxIterations; ++i) {
    throw_if_cancelled();
    if (gradient.abs().max().item<double>() <= kTolerance) {
      break;
    }
    at::Tensor step = curvature.direction(gradient);
    const auto slope = step.dot(gradient).item<double>();
    double scale = 1, next_value = 0;
    at::Tensor next;
    std::size_t halvings = 0;
    for (; halvings < kMaxHalvings; ++halvings, scale /= 2) {
      next = parameters.add(step, scale);
      next_value = loss.value_at(next, next_gradient);
      if (next_value <= value + 1e-4 * scale * slope) {
        break;
      }
    }
    if (halvings == kMaxHalvings) {
      break;  // rounding allows no further progress
    }
    curvature.add(next - parameters, next_gradient - gradient);
    parameters = next;
    value = next_value;
    std::swap(gradient, next_gradient);
  }
  return parameters;
}

}  // namespace

LogisticModel fit_logistic(const at::Tensor& rows, const at::Tensor& labels, double c,
                           const LogisticModel& start) {
  const auto positives = labels.sum().item<double>();
  if (rows.size(0) != labels.size(0) || positives <= 0 || positives >= static_cast<double>(labels.size(0))) {
    throw InputError("logistic regression needs ID and OOD training molecules");
  }
  const std::int64_t width = rows.size(1);
  at::Tensor parameters = at::zeros({width + 1}, at::kDouble);
  if (start.weights.defined()) {
    parameters.narrow(0, 0, width).copy_(start.weights);
    parameters[width] = start.intercept;
  }
  parameters = minimise(PenalisedLoss(rows, labels, c), std::move(parameters));
  return {parameters.narrow(0, 0, width).clone(), parameters[width].item<double>()};
}

}  // namespace molgauge::baselines
