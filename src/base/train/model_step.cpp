#include "base/train/model_step.h"

#include <utility>

#include "base/numerics/torch/operator_threads.h"

namespace molgauge::train {
namespace {

/// The fixed cost of a step, in rows.
constexpr double kStepCostInRows = 20;

}  // namespace

ModelStep::ModelStep(Model& model, MakeUpBatch make_up, std::string name, std::uint64_t data_bytes,
                     Clipping clipping)
    : model_(model),
      make_up_(std::move(make_up)),
      name_(std::move(name)),
      data_bytes_(data_bytes),
      clipping_(clipping) {}

std::vector<memory::StepSettings> ModelStep::variants() const {
  memory::StepSettings again;
  again.checkpointing = true;
  again.parts_at_once = 1;
  return {memory::StepSettings{}, again};
}

std::vector<MemoryContribution> ModelStep::resident(const memory::StepSettings&) const {
  return {{"features", data_bytes_},
          {"parameters", model_.parameters().bytes()},
          {"optimizer state", model_.optimizer().state_bytes()},
          {"gradients", model_.parameters().trained_bytes()}};
}

double ModelStep::relative_time(const memory::Cost& cost, const memory::StepSettings& settings) const {
  return kStepCostInRows +
         (settings.checkpointing ? kTimeOfCheckpointing : 1.0) * static_cast<double>(cost.items);
}

void ModelStep::run(std::span<const memory::ItemSize> batch, const memory::StepSettings& settings,
                    memory::AllocationTagger& marks) {
  const torch::OperatorThreads serial(1);
  PassPlan plan;
  plan.keep_activations = !settings.checkpointing;
  plan.shards_at_once = static_cast<std::int64_t>(settings.parts_at_once);
  plan.precision = settings.precision == memory::Precision::bf16 ? at::kBFloat16 : at::kFloat;
  marks.allocating(memory::AllocationTag::activations);
  const auto made_up = make_up_(static_cast<std::int64_t>(batch.size()));
  made_up->forward(plan);
  marks.allocating(memory::AllocationTag::gradients);
  made_up->backward(/*factor=*/1);
  clip_gradients(model_.parameters(), clipping_);
  made_up->release();
  marks.allocating(memory::AllocationTag::workspace);
  model_.optimizer().step({});
}

}  // namespace molgauge::train
