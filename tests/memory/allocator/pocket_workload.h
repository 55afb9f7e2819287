#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace headroom::allocator::test {

/// What a workload calls; a TraceWriter's methods, or an EventLog's.
struct WorkloadSink {
  std::function<void(std::uint64_t address, std::uint64_t bytes)> allocate, free;
  std::function<void(std::string_view)> begin_phase;
  std::function<void()> end_phase;
};

/// Training on binding pockets of widely varying size: weights and AdamW's moments that stay, per batch the
/// saved activations of an encoder over atoms, edges and pairs, and a bank of the last pockets' embeddings,
/// which live for hundreds of batches and come to lie in the midst of whatever was free. Larger pockets come
/// in with epoch 5. The same for every call.
void run_pocket_workload(std::size_t epochs, const WorkloadSink& sink);

/// A card on which the workload runs out of memory in epoch 5 under default settings, by fragmentation.
inline constexpr std::uint64_t kPocketCard = std::uint64_t{2304} << 20;

}  // namespace headroom::allocator::test
