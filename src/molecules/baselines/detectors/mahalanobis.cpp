#include "molecules/baselines/detectors/mahalanobis.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/core/error.h"
#include "base/numerics/ops/linear_algebra/small_products.h"
#include "base/numerics/ops/neighbours/distances.h"
#include "base/numerics/torch/operator_threads.h"
#include "base/numerics/torch/tensor_files.h"
#include "molecules/baselines/detectors/fitted_tensors.h"
#include "molecules/baselines/detectors/ledoit_wolf.h"

namespace molgauge::baselines {
namespace {

constexpr double kAddedToDiagonal = 1e-6;

/// Returns the class means [classes, hidden]. The mean of a class without molecules is zero.
at::Tensor class_means(const at::Tensor& hidden, const at::Tensor& classes, std::int64_t class_count) {
  const at::Tensor sums =
      at::zeros({class_count, hidden.size(1)}, at::kDouble).index_add_(0, classes, hidden.to(at::kDouble));
  const at::Tensor counts = at::bincount(classes, {}, class_count).clamp_min(1).unsqueeze(1);
  return sums.div_(counts).to(at::kFloat);
}

}  // namespace

void Mahalanobis::fit(const FitData& data) {
  const at::Tensor hidden = rows_to_compare(model_, data.train.features, data.batches);
  const Labels& labels = data.train.labels;
  if (model_.kind == LabelKind::classes) {
    fit_hidden(hidden, labels.values.squeeze(1).to(at::kLong), labels.outputs);
  } else {
    fit_hidden(hidden, at::zeros({hidden.size(0)}, at::kLong), 1);
  }
}

void Mahalanobis::fit_hidden(const at::Tensor& hidden, const at::Tensor& classes, std::int64_t class_count) {
  const torch::OperatorThreads serial(1);
  const at::Tensor used = classes.lt(class_count).nonzero().squeeze(1);
  if (used.size(0) == 0) {
    throw InputError("mahalanobis: no training molecules");
  }
  const at::Tensor rows = hidden.index_select(0, used), own_classes = classes.index_select(0, used);
  means_ = class_means(rows, own_classes, class_count);
  const ShrunkCovariance pooled = ledoit_wolf(rows - means_.index_select(0, own_classes));
  // The pseudo-inverse, because hidden units that are never active have no variance.
  precision_ = at::linalg_pinv(pooled.covariance, 1e-15, true).to(at::kFloat).contiguous();
  precision_.diagonal().add_(kAddedToDiagonal);
}

io::TensorMap Mahalanobis::fitted() const {
  return {{"means", torch::to_file(means_)}, {"precision", torch::to_file(precision_)}};
}

void Mahalanobis::restore(const io::TensorMap& tensors, std::int64_t width, const std::string& source) {
  means_ = take_rows(tensors, "means", width, source);
  precision_ = torch::take_tensor(tensors, "precision", {width, width}, source).contiguous();
}

std::vector<float> Mahalanobis::score_rows(const at::Tensor& features) const {
  const at::Tensor hidden = rows_to_compare(model_, features);
  const auto rows = static_cast<std::size_t>(hidden.size(0)),
             width = static_cast<std::size_t>(hidden.size(1));
  at::Tensor weighted = at::empty_like(hidden);
  std::vector<float> scores(rows, std::numeric_limits<float>::infinity());
  for (std::int64_t i = 0; i < means_.size(0); ++i) {
    const at::Tensor offset = hidden - means_[i];
    const float* own = offset.data_ptr<float>();
    ops::add_weighted_rows(
        {.sums = rows, .terms = width, .width = width, .sum_stride = width, .term_stride = 1}, own,
        precision_.data_ptr<float>(), weighted.data_ptr<float>());
    const float* other = weighted.data_ptr<float>();
    for (float& score : scores) {
      const float distance = ops::dot_product(width, own, other);
      score = distance < score || std::isnan(distance) ? distance : score;
      own += width;
      other += width;
    }
  }
  if (model_.kind != LabelKind::classes) {
    for (float& score : scores) {
      score = std::sqrt(std::max(score, 0.0F));
    }
  }
  return scores;
}

}  // namespace molgauge::baselines
