#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "headroom/memory_plan.h"
#include "memory/measure/allocation_meter.h"
#include "memory/plan/step_model.h"
#include "memory/plan/step_projection.h"

namespace headroom::memory {

/// What is to be planned.
struct PlanningRequest {
  std::vector<ItemSize> items;       ///< of one pass, in the order in which they come; at least one
  std::string items_name = "items";  ///< "molecules"
  /// Items whose gradient makes an optimiser step; 0: batches may be of any size (encoding).
  std::size_t effective_batch = 0;
  std::uint64_t budget_bytes = 0;              ///< for tensors: the model's own and those of its steps
  std::uint64_t outside_bytes = 0;             ///< what the meter counts and the budget is not for
  std::optional<bool> checkpointing = {};      ///< forced; nothing: the planner's choice
  std::optional<Precision> precision = {};     ///< likewise
  std::optional<std::size_t> most_items = {};  ///< forced upper bound of a batch
  std::optional<TokenLimit> most_tokens = {};  ///< likewise; the model's own counts beside it
  /// Of work whose batches may be of any size: how many items in a row are cut into batches together, as they
  /// come (what a pipeline holds at once). Adds up to all items; empty: all of them together.
  std::vector<std::size_t> windows = {};
};

class StepProber;
class Strategies;
struct Strategy;

/// What batches are limited by, apart from memory.
struct BatchBounds {
  std::optional<std::size_t> items = {};
  std::optional<std::uint64_t> tokens = {};  ///< padding counted
};

/// How steps are run so that they fit. Only plan_steps() makes one, of a strategy that fits: a plan that
/// cannot be carried out does not exist.
class StepPlan {
 public:
  StepSettings settings;
  /// The batch that is projected to take most.
  std::vector<ItemSize> worst_batch;

  /// Whether a batch is within the budget and the other bounds of the plan. May be called from several
  /// threads.
  bool fits(std::span<const ItemSize> batch) const;
  /// Cuts items (those of one effective batch, or a window of what is encoded) into batches that fit, largest
  /// items first; equal ones keep their order. Every index comes once. An item that does not fit by itself is
  /// a batch of its own.
  std::vector<std::vector<std::size_t>> pack(std::span<const ItemSize> items) const;
  /// Projected bytes of tensors at their peak.
  std::uint64_t peak_bytes(std::span<const ItemSize> batch) const;

 private:
  friend struct PlannedSteps plan_steps(StepModel&, StepProber&, const PlanningRequest&);
  StepPlan(const StepModel& model, const Strategies& strategies, const Strategy& strategy);

  const StepModel* model_;
  StepProjection projection_;
  std::uint64_t limit_bytes_;
  BatchBounds bounds_;
};

/// What the planner has found.
struct PlannedSteps {
  MemoryPlan report;             ///< what is printed; `chosen` is empty where nothing fits
  std::optional<StepPlan> plan;  ///< nothing where nothing fits; `report.smallest_budget_bytes` would do then
};

/// Probes the model and chooses, of all settings that it can be run with, with whole effective batches or
/// with accumulated ones, what takes the least time within the budget. The same model, items and budget give
/// the same plan: the choice rests on the model's relative times, not on measured ones.
///
/// The model outlives the plan.
PlannedSteps plan_steps(StepModel& model, AllocationMeter& meter, const PlanningRequest& request);
/// The same with a prober of this model, which may have measured already.
PlannedSteps plan_steps(StepModel& model, StepProber& prober, const PlanningRequest& request);

/// Sets `text` and `json` from all that stands beside them.
void print_plan(MemoryPlan& plan);

/// Where nothing fits, a plan still runs the smallest steps, to name the budget that would do. Throws Error
/// with exit code 4 when what `work` holds between steps is more than 256 MiB beyond the budget, so that a
/// budget is never exceeded by so much for a measurement.
void require_plannable(const std::string& work, std::uint64_t least_bytes, std::uint64_t budget_bytes);

/// Throws Error with exit code 4 naming the largest contributor and the smallest budget where nothing fits.
void require_fit(const MemoryPlan& plan);

}  // namespace headroom::memory
