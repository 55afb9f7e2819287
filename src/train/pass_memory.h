#pragma once

#include <cstddef>
#include <functional>

#include "memory/recover/recovery.h"
#include "train/sharded_pass.h"

namespace headroom::train {

/// Passes of batches of `rows` rows through a model, for recovery: units are rows in memory at once, the
/// smallest portion is a shard. What they take is taken to grow with the rows, by what is seen when memory
/// runs out; what fits from the start is the planner's to say.
struct PassRows {
  std::int64_t width = 0;  ///< of the features
  std::int64_t rows = 0;   ///< of a batch
  at::Device device = at::kCPU;
  std::size_t threads = 1;  ///< at least 1

  std::size_t shard_rows() const;
  /// Without gradients.
  memory::Workload scoring() const;
  /// With gradients: all rows at once with their activations kept, fewer with activations computed again.
  memory::Workload training() const;

 private:
  memory::Workload workload(const char* name) const;
};

/// Does work(plan) over a batch of `rows` rows; when memory runs out once more with a plan that takes less,
/// to the same bytes. Activations are kept where `plan` says so and all rows are in memory at once. `work`
/// leaves nothing behind when it throws. Throws as memory::Recovery::attempt does.
void within_memory(memory::Recovery& recovery, std::int64_t rows, at::Device device, PassPlan plan,
                   const std::function<void(const PassPlan&)>& work);

}  // namespace headroom::train
