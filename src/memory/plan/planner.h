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

/// The work to plan.
struct PlanningRequest {
  std::vector<ItemSize> items;       ///< items of one pass in their order; at least one
  std::string items_name = "items";  ///< "molecules"
  /// Items whose gradient makes an optimiser step; 0: batches may be of any size (encoding).
  std::size_t effective_batch = 0;
  std::uint64_t budget_bytes = 0;              ///< for tensors: the model's own and those of its steps
  std::uint64_t outside_bytes = 0;             ///< bytes that the meter counts outside of the budget
  std::optional<bool> checkpointing = {};      ///< forced; none: the planner chooses
  std::optional<Precision> precision = {};     ///< forced; none: the planner chooses
  std::optional<std::size_t> most_items = {};  ///< forced upper bound of a batch
  std::optional<TokenLimit> most_tokens = {};  ///< forced; the model's own limit counts, too
  /// For work whose batches may be of any size: how many consecutive items are cut into batches together
  /// (those that a pipeline holds at once). Adds up to all items; empty: all of them together.
  std::vector<std::size_t> windows = {};
  bool printed = true;  ///< whether the report has its text and JSON, which take longer than a short plan
};

class StepProber;
class Strategies;
struct Strategy;

/// Limits of batches, apart from memory.
struct BatchBounds {
  std::optional<std::size_t> items = {};
  std::optional<std::uint64_t> tokens = {};  ///< padding counted
};

/// How steps are run so that they fit. Only plan_steps() makes a plan, from a strategy that fits: every plan
/// can be carried out.
class StepPlan {
 public:
  StepSettings settings;
  /// The batch with the highest projected peak.
  std::vector<ItemSize> worst_batch;

  /// Whether a batch is within the budget and the other bounds of the plan. May be called from several
  /// threads.
  bool fits(std::span<const ItemSize> batch) const;
  /// Cuts items (those of one effective batch, or a window of an encoding) into batches that fit, largest
  /// items first; equal ones keep their order. Every index occurs once. An item that does not fit alone
  /// becomes a separate batch.
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

/// The result of the planner.
struct PlannedSteps {
  MemoryPlan report;  ///< the report, printed if so requested; `chosen` is empty where nothing fits
  std::optional<StepPlan> plan;  ///< none where nothing fits; `report.smallest_budget_bytes` is then enough
};

/// Probes the model and chooses, among all its settings, with whole effective batches or
/// with accumulated ones, the fastest way within the budget. The same model, items and budget give
/// the same plan: the choice rests on the model's relative times, not on measured ones.
///
/// The model outlives the plan.
PlannedSteps plan_steps(StepModel& model, AllocationMeter& meter, const PlanningRequest& request);
/// As above, with a prober of this model, which may have measured already.
PlannedSteps plan_steps(StepModel& model, StepProber& prober, const PlanningRequest& request);

/// Of alternatives with bytes, time and `fits`: chooses the quickest that fits, and derives the smallest
/// budget and the share of `budget_bytes` that is used. Returns the alternative that figures are shown of:
/// the chosen one, or the smallest where none fits.
std::size_t choose_quickest(MemoryPlan& plan, std::uint64_t budget_bytes);

/// Puts the largest contribution first. Equal ones keep their order.
void sort_contributions(std::vector<MemoryContribution>& contributions);

/// Sets `text` and `json` from the other fields.
void print_plan(MemoryPlan& plan);

/// Where nothing fits, a plan still runs the smallest steps, to name the budget that would do. Throws Error
/// with exit code 4 when the memory that `work` holds between steps is more than 256 MiB over the budget, so
/// that a measurement never exceeds a budget by more.
void require_plannable(const std::string& work, std::uint64_t least_bytes, std::uint64_t budget_bytes);

/// Throws Error with exit code 4 where nothing fits. It names the largest contributor and a smallest budget.
void require_fit(const MemoryPlan& plan);

}  // namespace headroom::memory
