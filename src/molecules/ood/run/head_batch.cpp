#include "molecules/ood/run/head_batch.h"

#include <utility>
#include <vector>

#include "molecules/ood/head/head_loss.h"

namespace molgauge::ood {
namespace {

/// Row numbers of a batch: first the ID rows, then the same number of OOD rows.
std::vector<std::int64_t> rows_of(TrainingPairs::Batch batch, std::size_t id_rows) {
  for (const std::int64_t row : batch.ood) {
    batch.id.push_back(static_cast<std::int64_t>(id_rows) + row);
  }
  return std::move(batch.id);
}

}  // namespace

HeadBatch::HeadBatch(const EnergyHead& head, const TrainingRows& rows, std::int64_t items,
                     const TrainingOptions& options, HeadRandom& random, LossValue& loss)
    : head_(head),
      options_(options),
      random_(random),
      committed_loss_(loss),
      items_(items),
      pairs_(random.pairs),
      dropout_(random.dropout.clone()),
      masks_(head.draw_masks(2 * items, options.dropout, dropout_)),
      rows_(rows.gather(rows_of(pairs_.draw(static_cast<std::size_t>(items)), rows.id_rows()), dropout_)) {}

void HeadBatch::forward(const train::PassPlan& plan) {
  loss_ = head_loss(rows_->forward(head_, masks_, plan), items_, options_.loss, plan.threads);
}

void HeadBatch::backward(double factor) {
  const at::Tensor gradient = energy_gradient(loss_, rows_->device());
  rows_->backward(factor == 1 ? gradient : gradient.mul(factor));
}

void HeadBatch::release() {
  rows_.reset();
  masks_ = {};
}

void HeadBatch::commit() noexcept {
  std::swap(random_.pairs, pairs_);
  std::swap(random_.dropout, dropout_);
  std::swap(committed_loss_, loss_);
}

train::Parameters head_parameters(const EnergyHead& head, double learning_rate, double weight_decay,
                                  std::vector<train::ParameterGroup> others) {
  others.insert(others.begin(), {.name = "energy_head",
                                 .parameters = head.parameters(),
                                 .options = {.learning_rate = learning_rate,
                                             .weight_decay = weight_decay,
                                             .schedule = train::falling_rate()}});
  return train::Parameters(std::move(others));
}

train::AdamWOptions adamw_options(const TrainingOptions& options) {
  train::AdamWOptions adamw;
  adamw.state = options.memory_saving.optimizer_state == MomentType::bf16 ? at::kBFloat16 : at::kFloat;
  return adamw;
}

}  // namespace molgauge::ood
