#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/memory/plan/planner.h"
#include "base/train/memory_saving_options.h"

namespace molgauge::train {

/// Measured bytes of the passes over one part of a step.
struct PartBytes {
  std::uint64_t kept = 0;     ///< bytes after the forward pass, with activations
  std::uint64_t highest = 0;  ///< peak of the forward and the backward pass
};

/// A strategy to execute the parts of a step.
struct ExecutionStrategy {
  memory::StepSettings settings;
  std::uint64_t bytes = 0;  ///< peak of a step, in addition to resident bytes
  double relative_time = 1;
};

/// Returns the strategies that the options allow for a step of `parts` parts, from fast to slow. The first
/// strategy keeps the activations of all parts. The later strategies recompute activations and have fewer
/// parts in memory. For the estimate, one part has the bytes of `largest`, and all other parts have the bytes
/// of `mean`.
std::vector<ExecutionStrategy> execution_strategies(const MemorySavingOptions& memory_saving,
                                                    const PartBytes& mean, const PartBytes& largest,
                                                    std::size_t parts, std::size_t threads);

/// Appends the strategy to the alternatives of a plan. The items, the effective batch and the budget of the
/// plan must already be set.
PlannedAlternative& add_alternative(MemoryPlan& plan, const ExecutionStrategy& strategy,
                                    std::uint64_t projected_bytes);

}  // namespace molgauge::train
