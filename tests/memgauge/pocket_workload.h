#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace molgauge::allocator::test {

/// The interface that a workload calls: the methods of a TraceWriter or of an EventLog.
struct WorkloadSink {
  std::function<void(std::uint64_t address, std::uint64_t bytes)> allocate, free;
  std::function<void(std::string_view)> begin_phase;
  std::function<void()> end_phase;
};

/// Training on binding pockets of widely varying size. The weights and the moments of AdamW stay in memory.
/// Each batch has the saved activations of an encoder over atoms, edges and pairs. A bank of recent pocket
/// embeddings stays in memory for hundreds of batches, between free blocks. Larger pockets appear in epoch 5.
/// Every run makes the same calls.
void run_pocket_workload(std::size_t epochs, const WorkloadSink& sink);

/// A card on which fragmentation makes the workload run out of memory in epoch 5 under default settings.
inline constexpr std::uint64_t kPocketCard = std::uint64_t{2304} << 20;

}  // namespace molgauge::allocator::test
