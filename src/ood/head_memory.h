#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "memory/recovery.h"
#include "ood/energy_head.h"
#include "ood/head_pass.h"

namespace headroom::ood {

/// Passes of batches of `rows` rows through a head, for recovery: units are rows in memory at once, the
/// smallest portion is a shard.
struct PassMemory {
  std::int64_t width = 0, hidden = 0;  ///< of the head
  std::int64_t rows = 0;               ///< of a batch
  at::Device device = at::kCPU;
  std::size_t threads = 1;

  PassMemory(const EnergyHead& head, std::int64_t batch_rows, std::size_t thread_count);

  /// Without gradients.
  memory::Workload scoring() const;
  /// With gradients: all rows at once with their activations kept, fewer with activations computed again.
  memory::Workload training() const;

 private:
  std::int64_t shard_rows() const;
  std::uint64_t scoring_bytes(std::size_t units) const;
  std::uint64_t training_bytes(std::size_t units) const;
};

/// Does work(plan) over a batch of `rows` rows; when memory runs out once more with a plan that takes less,
/// to the same bytes. Activations are kept where `plan` says so and all rows are in memory at once. `work`
/// leaves nothing behind when it throws. Throws as memory::Recovery::attempt does.
void within_memory(memory::Recovery& recovery, std::int64_t rows, at::Device device, PassPlan plan,
                   const std::function<void(const PassPlan&)>& work);

}  // namespace headroom::ood
