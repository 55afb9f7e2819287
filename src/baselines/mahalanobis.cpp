#include "baselines/mahalanobis.h"

#include <limits>

#include "baselines/ledoit_wolf.h"
#include "core/error.h"
#include "ood/serial_tensors.h"

namespace headroom::baselines {
namespace {

constexpr double kAddedToDiagonal = 1e-6;

/// [classes, hidden]; zero for an absent class.
at::Tensor class_means(const at::Tensor& hidden, const at::Tensor& classes, std::int64_t class_count) {
  const at::Tensor sums =
      at::zeros({class_count, hidden.size(1)}, at::kDouble).index_add_(0, classes, hidden.to(at::kDouble));
  const at::Tensor counts = at::bincount(classes, {}, class_count).clamp_min(1).unsqueeze(1);
  return sums.div_(counts).to(at::kFloat);
}

}  // namespace

void Mahalanobis::fit(const FitData& data) {
  const at::Tensor hidden = read_out(*model_.classifier, data.train.features, data.batches).hidden;
  const Labels& labels = data.train.labels;
  if (model_.kind == LabelKind::classes) {
    fit_hidden(hidden, labels.values.squeeze(1).to(at::kLong), labels.outputs);
  } else {
    fit_hidden(hidden, at::zeros({hidden.size(0)}, at::kLong), 1);
  }
}

void Mahalanobis::fit_hidden(const at::Tensor& hidden, const at::Tensor& classes, std::int64_t class_count) {
  const ood::SerialTensors serial;
  const at::Tensor used = classes.lt(class_count).nonzero().squeeze(1);
  if (used.size(0) == 0) {
    throw InputError("mahalanobis: no training molecules");
  }
  const at::Tensor rows = hidden.index_select(0, used), own_classes = classes.index_select(0, used);
  means_ = class_means(rows, own_classes, class_count);
  const ShrunkCovariance pooled = ledoit_wolf(rows - means_.index_select(0, own_classes));
  // The pseudo-inverse: hidden units that are never active have no variance at all.
  precision_ = at::linalg_pinv(pooled.covariance, 1e-15, true).to(at::kFloat);
  precision_.diagonal().add_(kAddedToDiagonal);
}

std::vector<float> Mahalanobis::score_rows(const at::Tensor& features) const {
  const at::Tensor hidden = read_out(*model_.classifier, features).hidden;
  at::Tensor smallest = at::full({hidden.size(0)}, std::numeric_limits<float>::infinity());
  for (std::int64_t i = 0; i < means_.size(0); ++i) {
    const at::Tensor offset = hidden - means_[i];
    smallest = at::minimum(smallest, (at::mm(offset, precision_) * offset).sum(1));
  }
  if (model_.kind != LabelKind::classes) {
    smallest.clamp_min_(0).sqrt_();
  }
  const auto* const first = smallest.data_ptr<float>();
  return {first, first + smallest.numel()};
}

}  // namespace headroom::baselines
