#include "molecules/baselines/detectors/logistic_regression.h"

#include "base/numerics/ops/neighbours/distances.h"
#include "base/numerics/torch/operator_threads.h"
#include "base/numerics/torch/tensor_files.h"
#include "molecules/baselines/detectors/fitted_tensors.h"
#include "molecules/ood/metrics/metrics.h"

namespace molgauge::baselines {
namespace {

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
