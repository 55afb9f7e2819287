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
  memory::StepSettings strategy;          ///< of the chosen alternative
  std::uint64_t host_overhead_bytes = 0;  ///< bytes of the process beside a GPU; the CPU's plan has them
};

/// Measures the passes of the most expensive pocket and of a median pocket, and compares three execution
/// strategies: all pockets of a step at once, one pocket for each thread with activation checkpointing, and
/// one pocket at a time. A step of the first is taken to have the largest pocket and others of the middle
/// cost, a validation one of the largest for each thread. `budget_bytes`: of all tensors, or of the GPU whose
/// passes these are, which are measured on the CPU all the same.
TrainingPlan plan_training(const TrainingData& data, const TrainingOptions& options, std::size_t threads,
                           std::uint64_t budget_bytes);

}  // namespace headroom::pocket
