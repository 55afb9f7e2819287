#pragma once

#include <cstddef>
#include <functional>

#include "base/memory/recover/recovery.h"
#include "base/train/sharded_pass.h"

namespace molgauge::train {

/// Describes passes over batches of `rows` rows for the recovery from out-of-memory errors. The recovery
/// changes the number of rows in memory at once, which is at least one shard. The memory is assumed to be
/// proportional to the rows, until an out-of-memory error provides a measurement. The planner chooses the
/// initial size.
struct PassRows {
  std::int64_t width = 0;  ///< width of the features
  std::int64_t rows = 0;   ///< rows of a batch
  at::Device device = at::kCPU;
  std::size_t threads = 1;  ///< number of threads, at least 1
  /// Minimum rows of a shard, as in shard_count(). 0 selects the minimum of the device, which is too large
  /// for models that need much memory per row.
  std::int64_t least_rows = 0;

  std::size_t shard_rows() const;
  /// Passes without gradients.
  memory::Workload scoring() const;
  /// Passes with gradients. Either all rows are in memory at once and their activations are kept, or fewer
  /// rows are in memory at once and their activations are recomputed.
  memory::Workload training() const;

 private:
  memory::Workload workload(const char* name) const;
};

/// Calls work(plan) for a batch of `rows` rows. If memory runs out, repeats the call with a smaller plan. The
/// results are bit-identical. `work` gets a plan with `keep_activations` only if `plan` has it and all rows
/// are in memory at once. `work` must have no effect if it throws. Throws the errors of
/// memory::Recovery::attempt().
void with_budget_errors(memory::Recovery& recovery, std::int64_t rows, at::Device device, PassPlan plan,
                        const std::function<void(const PassPlan&)>& work);

}  // namespace molgauge::train
