#include "base/memory/plan/planner.h"

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/text/bytes.h"
#include "base/memory/plan/batch_packing.h"
#include "base/memory/plan/plan_report.h"
#include "base/memory/plan/step_prober.h"
#include "base/memory/plan/strategies.h"

namespace molgauge::memory {
namespace {

constexpr int kMaxConfirmations = 4;

/// The fastest strategy that may be chosen. If several are equally fast, the first of them.
std::optional<std::size_t> fastest(std::span<const Strategy> strategies) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < strategies.size(); ++i) {
    if (strategies[i].may_be_chosen && (!best || strategies[i].time < strategies[*best].time)) {
      best = i;
    }
  }
  return best;
}

}  // namespace

PlannedSteps plan_steps(StepModel& model, AllocationMeter& meter, const PlanningRequest& request) {
  if (request.items.empty()) {
    throw InputError("there is nothing to plan: no items");
  }
  std::optional<std::size_t> whole_batch;
  if (request.effective_batch > 0 && !model.can_accumulate()) {
    whole_batch = request.effective_batch;
  }
  StepProber prober(model, meter, request.outside_bytes, request.budget_bytes, request.items, whole_batch);
  return plan_steps(model, prober, request);
}

PlannedSteps plan_steps(StepModel& model, StepProber& prober, const PlanningRequest& request) {
  if (request.items.empty()) {
    throw InputError("there is nothing to plan: no items");
  }
  Strategies strategies(model, prober, request);
  std::vector<Strategy> found = strategies.enumerate();
  if (found.empty()) {
    prober.lift_limit();
    found = strategies.enumerate();
  }
  std::optional<std::size_t> chosen = fastest(found);
  for (int i = 0; i < kMaxConfirmations && chosen && strategies.confirm(found[*chosen]); ++i) {
    found = strategies.enumerate();
    chosen = fastest(found);
  }

  PlannedSteps planned{report_plan({model, request, prober, strategies, found, chosen}), std::nullopt};
  if (chosen) {
    planned.plan = StepPlan(model, strategies, found[*chosen]);
  }
  return planned;
}

StepPlan::StepPlan(const StepModel& model, const Strategies& strategies, const Strategy& strategy)
    : settings(strategy.settings),
      worst_batch(strategy.worst_batch),
      model_(&model),
      projection_(strategies.projection(strategy.settings)),
      limit_bytes_(strategies.limit_bytes(strategy.settings)),
      bounds_(strategies.bounds()) {}

bool StepPlan::fits(std::span<const ItemSize> batch) const {
  const Cost cost = model_->cost(batch);
  return cost.items <= bounds_.items.value_or(cost.items) &&
         cost.padded <= bounds_.tokens.value_or(cost.padded) && projection_.peak_bytes(cost) <= limit_bytes_;
}

std::vector<std::vector<std::size_t>> StepPlan::pack(std::span<const ItemSize> items) const {
  return pack_largest_first(items, [this](std::span<const ItemSize> batch) { return fits(batch); });
}

std::uint64_t StepPlan::peak_bytes(std::span<const ItemSize> batch) const {
  return projection_.peak_bytes(model_->cost(batch));
}

void require_plannable(const std::string& work, std::uint64_t least_bytes, std::uint64_t budget_bytes) {
  constexpr std::uint64_t kMaxBeyond = std::uint64_t{256} << 20;
  if (least_bytes > budget_bytes && least_bytes - budget_bytes > kMaxBeyond) {
    throw Error(
        fmt::format("{}: parameters, gradients, optimizer, copies and features alone need {}, more than the "
                    "remaining {} of the memory budget. Use a smaller model, or a larger --memory-budget",
                    work, format_bytes(least_bytes), format_bytes(budget_bytes)),
        ExitCode::over_budget);
  }
}

void require_fit(const MemoryPlan& plan) {
  if (plan.chosen) {
    return;
  }
  const MemoryContribution largest =
      plan.contributions.empty() ? MemoryContribution{} : plan.contributions[0];
  throw Error(
      fmt::format(
          "{}: does not fit in {} for tensors, even with the smallest batches. The largest part is {} ({}). "
          "The smallest sufficient budget is {}",
          plan.work, format_bytes(plan.budget_bytes), largest.name, format_bytes(largest.bytes),
          format_bytes(plan.smallest_budget_bytes)),
      ExitCode::over_budget);
}

}  // namespace molgauge::memory
