#include "molecules/ood/run/training_plan.h"

#include <algorithm>
#include <utility>

#include "base/memory/plan/device_workspace.h"
#include "base/numerics/torch/cpu_tensor_memory.h"
#include "base/numerics/torch/operator_threads.h"
#include "molecules/ood/run/head_training_step.h"

namespace molgauge::ood {
namespace {

/// Bytes of the best head, and of the copies for a checkpoint: parameters and both moments.
std::uint64_t copies_bytes(const TrainingOptions& options, std::size_t width) {
  constexpr double kCopies = 4, kMaxBytes = 1e18;
  // The sizes are double, because the product of two sizes may overflow an integer.
  const auto hidden = static_cast<double>(options.hidden_dim);
  const double first = (static_cast<double>(width) + 1) * hidden, second = (hidden + 2) * (hidden / 2 + 1);
  const double bytes = kCopies * (first + second) * sizeof(float);
  return static_cast<std::uint64_t>(std::min(bytes, kMaxBytes));
}

}  // namespace

std::uint64_t TrainingSizes::feature_bytes() const {
  // The training rows count twice, because FrozenRows copies ID and OOD rows into one tensor.
  return (2 * (train_id + train_ood) + validation) * width * sizeof(float);
}

TrainingPlan plan_training(const TrainingOptions& options, const TrainingSizes& sizes, std::size_t threads,
                           const TensorBudget& budget) {
  const torch::OperatorThreads serial(1);  // the trainer also uses one thread
  // The parameters, the gradients and both moments need as much memory as the copies.
  memory::require_plannable("training an energy head",
                            2 * copies_bytes(options, sizes.width) + sizes.feature_bytes(),
                            budget.budget_bytes);
  memory::PlanningRequest request;
  request.items.resize(std::min(sizes.train_id, sizes.train_ood));
  request.items_name = "pairs of molecules";
  request.effective_batch = std::min(options.batch_size, request.items.size());
  request.budget_bytes = budget.budget_bytes;
  request.outside_bytes = budget.outside_bytes;
  TrainingOptions of_steps = options;
  of_steps.batch_size = request.effective_batch;
  HeadTrainingStep step(
      static_cast<std::int64_t>(sizes.width), of_steps,
      sizes.feature_bytes() + copies_bytes(options, sizes.width),
      std::min(options.eval_batch_size, sizes.validation / 2), threads,
      sizes.is_on_gpu ? memory::device_workspace_bytes(memory::DevicePasses::forward_and_backward) : 0);
  memory::PlannedSteps planned = memory::plan_steps(step, torch::cpu_tensor_memory(), request);
  return {std::move(planned.report), planned.plan ? std::optional(planned.plan->settings) : std::nullopt};
}

}  // namespace molgauge::ood
