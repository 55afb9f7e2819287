#pragma once

#include <cstddef>
#include <cstdint>

#include "headroom/memory_plan.h"
#include "models/pocket/training/data.h"
#include "models/pocket/training/options.h"

namespace headroom::pocket {

/// The memory of a training, and the execution strategy of its steps.
struct TrainingPlan {
  MemoryPlan report;
  memory::StepSettings strategy;  ///< settings of the chosen alternative
  std::uint64_t host_overhead_bytes =
      0;  ///< on a GPU, the bytes of the process; on a CPU, the plan includes them
};

/// Measures the passes of the most expensive pocket and of a median pocket. Compares three execution
/// strategies: all pockets of a step at once, one pocket for each thread with activation checkpointing, and
/// one pocket at a time. For the first strategy, a step is assumed to have the largest pocket, and other
/// pockets of median cost. A validation step is assumed to have one pocket of the largest size for each
/// thread. `budget_bytes`: budget of all tensors, or of the GPU that runs the passes. In both cases, the
/// passes are measured on the CPU.
TrainingPlan plan_training(const TrainingData& data, const TrainingOptions& options, std::size_t threads,
                           std::uint64_t budget_bytes);

}  // namespace headroom::pocket
