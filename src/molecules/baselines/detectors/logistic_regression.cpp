#include "molecules/baselines/detectors/logistic_regression.h"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "base/core/error.h"
#include "base/core/session/cancellation.h"
#include "base/numerics/ops/neighbours/distances.h"
#include "base/numerics/torch/operator_threads.h"
#include "base/numerics/torch/tensor_files.h"
#include "molecules/baselines/detectors/fitted_tensors.h"
#include "molecules/ood/metrics/metrics.h"

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

/// Returns the AUROC of the scores for the labels [n, 1], which are 0 (ID) or 1 (OOD).
double auroc(const std::vector<float>& scores, const at::Tensor& labels) {
  const at::Tensor column = labels.contiguous();
  const float* label = column.data_ptr<float>();
  std::vector<float> id, ood;
  for (const float score : scores) {
    (*label++ == 0 ? id : ood).push_back(score);
  }
  return ood::detection_metrics(std::span<const float>(id), std::span<const float>(ood)).auroc;
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

void LogisticRegression::fit(const FitData& data) {
  const torch::OperatorThreads serial(1);
  standardization_ = Standardization::of(data.train.features);
  const at::Tensor rows = standardization_.apply(data.train.features).to(at::kDouble);
  const at::Tensor labels = data.train.labels.values.squeeze(1).to(at::kDouble);
  LogisticModel model, best;
  double best_auroc = -1, best_penalty = 0;
  for (const double c : kInversePenalties) {
    model = fit_logistic(rows, labels, c, model);
    set(model, c);
    const double area = auroc(score(data.selection.features, data.batches), data.selection.labels.values);
    if (area > best_auroc) {
      best_auroc = area;
      best_penalty = c;
      best = model;
    }
  }
  set(best, best_penalty);
}

void LogisticRegression::set(const LogisticModel& model, double inverse_penalty) {
  weights_ = model.weights.to(at::kFloat).contiguous();
  intercept_ = static_cast<float>(model.intercept);
  inverse_penalty_ = inverse_penalty;
}

io::TensorMap LogisticRegression::fitted() const {
  io::TensorMap tensors;
  add_fitted(standardization_, tensors);
  tensors["weights"] = torch::to_file(weights_);
  tensors["intercept"] = list_to_file({intercept_});
  tensors["inverse_penalty"] = list_to_file({static_cast<float>(inverse_penalty_)});
  return tensors;
}

void LogisticRegression::restore(const io::TensorMap& tensors, std::int64_t width,
                                 const std::string& source) {
  standardization_ = take_standardization(tensors, width, source);
  weights_ = torch::take_tensor(tensors, "weights", {width}, source).contiguous();
  intercept_ = take_list(tensors, "intercept", source).front();
  inverse_penalty_ = take_list(tensors, "inverse_penalty", source).front();
}

std::vector<float> LogisticRegression::score_rows(const at::Tensor& features) const {
  const at::Tensor rows = standardization_.apply(features).contiguous();
  const auto width = static_cast<std::size_t>(rows.size(1));
  const float* row = rows.data_ptr<float>();
  std::vector<float> scores(static_cast<std::size_t>(rows.size(0)));
  for (float& score : scores) {
    score = ops::dot_product(width, row, weights_.data_ptr<float>()) + intercept_;
    row += width;
  }
  return scores;
}

}  // namespace molgauge::baselines
