#pragma once

#include <cstddef>
#include <cstdint>

#include "molgauge/memory_plan.h"
#include "pockets/training/data.h"
#include "pockets/training/options.h"

namespace molgauge::pocket {

/// The memory of a training, and the execution strategy of its steps.
struct TrainingPlan {
  MemoryPlan report;
  memory::StepSettings strategy;  ///< settings of the chosen alternative
  /// On a GPU, the bytes of CPU memory that the process needs. On a CPU, 0, because the plan includes them.
  std::uint64_t host_overhead_bytes = 0;
};

/// Measures the passes of a shard (pockets_of_a_shard()) with the most expensive pocket, and of a shard of
/// median pockets. Measures on the CPU, even if a GPU runs the training. Compares three execution strategies:
/// all shards of a step at once, one shard for each thread with activation checkpointing, and one shard at a
/// time.
///
/// A step is assumed to have one pocket of the largest cost and other pockets of median cost. Validation is
/// assumed to have one pocket of the largest cost for each thread. `budget_bytes`: memory budget of the
/// device that runs the passes.
TrainingPlan plan_training(const TrainingData& data, const TrainingOptions& options, std::size_t threads,
                           std::uint64_t budget_bytes);

}  // namespace molgauge::pocket
