#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/memory/measure/allocation_meter.h"
#include "base/memory/plan/step_model.h"
#include "base/memory/plan/step_projection.h"
#include "molgauge/memory_plan.h"

namespace molgauge::memory {

/// The work to plan.
struct PlanningRequest {
  std::vector<ItemSize> items;       ///< items of one pass in order; at least one
  std::string items_name = "items";  ///< plural noun, such as "molecules"
  /// The number of items for each optimizer step. 0 means that batches may have any size, as in encoding.
  std::size_t effective_batch = 0;
  std::uint64_t budget_bytes = 0;              ///< budget for the tensors of the model and of its steps
  std::uint64_t outside_bytes = 0;             ///< bytes on the meter that do not belong to the budget
  std::optional<bool> checkpointing = {};      ///< fixed choice; if empty, the planner chooses
  std::optional<Precision> precision = {};     ///< fixed choice; if empty, the planner chooses
  std::optional<std::size_t> most_items = {};  ///< upper bound of a batch, from the user
  std::optional<TokenLimit> most_tokens = {};  ///< limit from the user, in addition to the limit of the model
  /// The number of consecutive items in each window, for work with batches of any size. A pipeline has one
  /// window in memory and divides it into batches. The numbers add up to the number of all items. If the list
  /// is empty, one window contains all items.
  std::vector<std::size_t> windows = {};
  bool printed = true;  ///< whether the report needs text and JSON, which take longer than a short plan
};

class StepProber;
class Strategies;
struct Strategy;

/// Limits of batches in addition to memory.
struct BatchBounds {
  std::optional<std::size_t> items = {};
  std::optional<std::uint64_t> tokens = {};  ///< maximum number of tokens, with padding
};

/// A plan with batches that fit the budget.
class StepPlan {
 public:
  StepSettings settings;
  /// The batch with the highest projected peak.
  std::vector<ItemSize> worst_batch;

  /// Whether a batch is within the budget and the other limits of the plan. Thread-safe.
  bool fits(std::span<const ItemSize> batch) const;
  /// Divides items (of an effective batch or of a window) into batches that fit, largest items first. Equal
  /// items keep their order. Every index occurs once. An item that does not fit alone is a separate batch.
  std::vector<std::vector<std::size_t>> pack(std::span<const ItemSize> items) const;
  /// The projected peak bytes of the tensors of a step with this batch.
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
  MemoryPlan report;  ///< with text and JSON if requested. If nothing fits, `chosen` is empty
  /// Empty if nothing fits. `report.smallest_budget_bytes` is then a sufficient budget.
  std::optional<StepPlan> plan;
};

/// Probes the model and chooses the fastest strategy within the budget. Considers all settings, with whole
/// batches and with accumulated batches. The same model, items and budget give the same plan, because the
/// choice uses relative times of the model instead of measured times.
///
/// The model must outlive the plan.
PlannedSteps plan_steps(StepModel& model, AllocationMeter& meter, const PlanningRequest& request);
/// Makes the same plan with an existing prober of this model, and reuses its earlier measurements.
PlannedSteps plan_steps(StepModel& model, StepProber& prober, const PlanningRequest& request);

/// Chooses the fastest alternative that fits. Fills in the smallest budget and the used share of
/// `budget_bytes`. Returns the alternative to show: the chosen one, or the smallest if none fits.
std::size_t choose_quickest(MemoryPlan& plan, std::uint64_t budget_bytes);

/// Sorts contributions by size, largest first. Contributions of equal size keep their order.
void sort_contributions(std::vector<MemoryContribution>& contributions);

/// Sets `text` and `json` from the other fields.
void print_plan(MemoryPlan& plan);

/// Throws Error with exit code 4 if the memory that `work` needs between steps exceeds the budget by more
/// than 256 MiB. The check is necessary because the planner runs the smallest steps even if nothing fits, to
/// find a sufficient budget. Memory between steps then exceeds the budget by at most 256 MiB.
void require_plannable(const std::string& work, std::uint64_t least_bytes, std::uint64_t budget_bytes);

/// Throws Error with exit code 4 if nothing fits. The message names the largest contributor and the smallest
/// sufficient budget.
void require_fit(const MemoryPlan& plan);

/// Peak bytes of the plan, or of its smallest settings if no plan fits, minus the bytes that are already in
/// memory.
std::uint64_t remaining_bytes(const MemoryPlan& plan, std::uint64_t living);

}  // namespace molgauge::memory
