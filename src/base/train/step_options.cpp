#include "base/train/step_options.h"

#include <algorithm>

#include "base/numerics/torch/allocator_access.h"

namespace molgauge::train {
namespace {

PassPlan pass_plan(const PassRows& rows, const MemorySavingOptions& memory_saving,
                   const memory::StepSettings& strategy) {
  PassPlan plan;
  plan.threads = rows.threads;
  plan.least_rows = rows.least_rows;
  plan.precision = precision_of(memory_saving.autocast);
  plan.keep_activations = memory_saving.checkpoint_activations != Checkpointing::on &&
                          memory_saving.gradient_accumulation < 2 && !strategy.checkpointing;
  return plan;
}

memory::Workload workload_of(const PassRows& pass, const MemorySavingOptions& memory_saving,
                             const memory::StepSettings& strategy) {
  const auto rows = static_cast<std::size_t>(pass.rows);
  memory::Workload workload = pass.training();
  if (memory_saving.gradient_accumulation > 0) {
    const std::size_t shards = (rows + workload.smallest - 1) / workload.smallest;
    const std::size_t parts = memory_saving.gradient_accumulation;
    workload.planned = std::min(rows, (shards + parts - 1) / parts * workload.smallest);
    workload.smallest = workload.planned;
  } else if (memory_saving.checkpoint_activations == Checkpointing::on) {
    workload.planned = std::min(rows, pass.threads * workload.smallest);
  } else if (memory_saving.checkpoint_activations == Checkpointing::off) {
    workload.smallest = workload.planned;
  } else if (strategy.checkpointing) {
    const std::size_t parts = strategy.parts_at_once > 0 ? strategy.parts_at_once : pass.threads;
    workload.planned = std::min(rows, parts * workload.smallest);
  }
  return workload;
}

memory::AllocatorAccess allocator_of(at::Device device, const MemorySavingOptions& memory_saving) {
  memory::AllocatorAccess access = torch::allocator_access(device);
  if (memory_saving.empty_cache == EmptyCache::never) {
    access.release_cached = {};
  }
  return access;
}

}  // namespace

at::ScalarType precision_of(Autocast autocast) {
  switch (autocast) {
    case Autocast::bf16:
      return at::kBFloat16;
    case Autocast::fp16:
      return at::kHalf;
    case Autocast::off:
      break;
  }
  return at::kFloat;
}

StepOptions step_options(const PassRows& rows, const MemorySavingOptions& memory_saving,
                         const memory::StepSettings& strategy) {
  StepOptions options;
  options.pass = pass_plan(rows, memory_saving, strategy);
  options.device = rows.device;
  options.workload = workload_of(rows, memory_saving, strategy);
  options.allocator = allocator_of(rows.device, memory_saving);
  options.rows_side_by_side = rows.threads * rows.shard_rows();
  return options;
}

}  // namespace molgauge::train
