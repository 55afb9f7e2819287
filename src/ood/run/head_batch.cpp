#include "ood/run/head_batch.h"

#include <utility>
#include <vector>

#include "ood/head/head_loss.h"

namespace headroom::ood {
namespace {

/// ID rows first, then as many OOD rows.
at::Tensor gather(const PairedFeatures& features, TrainingPairs::Batch batch) {
  std::vector<std::int64_t>& rows = batch.id;
  for (const std::int64_t row : batch.ood) {
    rows.push_back(features.id_rows + row);
  }
  const at::Tensor index = at::from_blob(rows.data(), {static_cast<std::int64_t>(rows.size())}, at::kLong);
  return features.rows.index_select(0, index.to(features.rows.device()));
}

}  // namespace

HeadBatch::HeadBatch(const EnergyHead& head, const PairedFeatures& features, std::int64_t items,
                     const TrainingOptions& options, HeadRandom& random, LossValue& loss)
    : head_(head),
      options_(options),
      random_(random),
      committed_loss_(loss),
      items_(items),
      pairs_(random.pairs),
      dropout_(random.dropout.clone()),
      masks_(head.draw_masks(2 * items, options.dropout, dropout_)),
      features_(gather(features, pairs_.draw(static_cast<std::size_t>(items)))) {}

void HeadBatch::forward(const train::PassPlan& plan) {
  pass_.reset();
  pass_.emplace(head_, features_, masks_, plan);
  loss_ = head_loss(pass_->energies(), items_, options_.loss, plan.threads);
}

void HeadBatch::backward(double factor) {
  const at::Tensor gradient = energy_gradient(loss_, features_.device());
  pass_->backward(factor == 1 ? gradient : gradient.mul(factor));
}

void HeadBatch::release() {
  pass_.reset();
  features_.reset();
  masks_ = {};
}

void HeadBatch::commit() noexcept {
  std::swap(random_.pairs, pairs_);
  std::swap(random_.dropout, dropout_);
  std::swap(committed_loss_, loss_);
}

train::Parameters head_parameters(const EnergyHead& head, double learning_rate, double weight_decay) {
  return train::Parameters({{.name = "energy_head",
                             .parameters = head.parameters(),
                             .options = {.learning_rate = learning_rate,
                                         .weight_decay = weight_decay,
                                         .schedule = train::falling_rate()}}});
}

train::AdamWOptions adamw_options(const TrainingOptions& options) {
  train::AdamWOptions adamw;
  adamw.state = options.frugality.optimizer_state == train::MomentType::bf16 ? at::kBFloat16 : at::kFloat;
  return adamw;
}

}  // namespace headroom::ood
