#include "base/train/execution_strategy.h"

#include <algorithm>

#include "base/core/text/bytes.h"
#include "base/train/model_step.h"

namespace molgauge::train {

std::vector<ExecutionStrategy> execution_strategies(const MemorySavingOptions& memory_saving,
                                                    const PartBytes& mean, const PartBytes& largest,
                                                    std::size_t parts, std::size_t threads) {
  const std::size_t together = std::max<std::size_t>(1, std::min(threads, parts));
  const std::size_t accumulation = memory_saving.gradient_accumulation;
  std::vector<ExecutionStrategy> strategies;
  const bool may_keep = memory_saving.checkpoint_activations != Checkpointing::on && accumulation < 2 &&
                        !memory_saving.is_conservative;
  if (may_keep || parts == 1) {
    strategies.push_back(
        {{}, (parts - 1) * mean.kept + largest.kept + together * (largest.highest - largest.kept), 1});
  }
  if (parts == 1 || memory_saving.checkpoint_activations == Checkpointing::off) {
    return strategies;
  }
  std::vector<std::size_t> at_once = {together, 1};
  if (accumulation > 0) {
    at_once = {(parts + accumulation - 1) / accumulation};
  } else if (memory_saving.is_conservative || together == 1) {
    at_once = {1};
  }
  for (const std::size_t count : at_once) {
    memory::StepSettings settings;
    settings.checkpointing = true;
    settings.parts_at_once = count;
    strategies.push_back({settings, std::min(count, parts) * largest.highest,
                          kTimeOfCheckpointing * static_cast<double>(together) /
                              static_cast<double>(std::min(together, count))});
  }
  return strategies;
}

PlannedAlternative& add_alternative(MemoryPlan& plan, const ExecutionStrategy& strategy,
                                    std::uint64_t projected_bytes) {
  PlannedAlternative& alternative = plan.alternatives.emplace_back();
  alternative.settings = memory::to_string(strategy.settings);
  alternative.checkpointing = strategy.settings.checkpointing;
  alternative.batch_items = plan.effective_batch;
  alternative.batches = (plan.items + plan.effective_batch - 1) / plan.effective_batch;
  alternative.projected_bytes = projected_bytes;
  alternative.saved_bytes = static_cast<std::int64_t>(plan.alternatives.front().projected_bytes) -
                            static_cast<std::int64_t>(projected_bytes);
  alternative.relative_time = strategy.relative_time;
  alternative.fits = projected_bytes <= plan.budget_bytes;
  alternative.remark = alternative.fits ? "fits"
                                        : "needs " + format_bytes(projected_bytes - plan.budget_bytes) +
                                              " more than the budget";
  return alternative;
}

}  // namespace molgauge::train
