#pragma once

#include <cstddef>
#include <functional>

#include "memory/recover/recovery.h"
#include "models/train/sharded_pass.h"

namespace headroom::train {

/// Describes passes of batches of `rows` rows to the recovery. Units are rows in memory at once. The smallest
/// portion is a shard. The memory is assumed to be proportional to the rows, until an out-of-memory error
/// gives a measurement. The planner chooses the initial size.
struct PassRows {
  std::int64_t width = 0;  ///< width of the features
  std::int64_t rows = 0;   ///< rows of a batch
  at::Device device = at::kCPU;
  std::size_t threads = 1;  ///< number of threads, at least 1
  /// As in shard_count(). Not 0 if a row is large.
  std::int64_t least_rows = 0;

  std::size_t shard_rows() const;
  /// Passes without gradients.
  memory::Workload scoring() const;
  /// Passes with gradients. Either all rows are in memory at once with kept activations, or fewer with
  /// recomputed activations.
  memory::Workload training() const;

 private:
  memory::Workload workload(const char* name) const;
};

/// Does work(plan) over a batch of `rows` rows, and repeats it with a smaller plan if memory runs out. The
/// result is bit-identical. Activations are kept if `plan` says so and all rows are in memory at once. `work`
/// must have no effect if it throws. Throws the errors of memory::Recovery::attempt.
void with_budget_errors(memory::Recovery& recovery, std::int64_t rows, at::Device device, PassPlan plan,
                        const std::function<void(const PassPlan&)>& work);

}  // namespace headroom::train
