#include "memory/allocator/explain/savings.h"

#include <algorithm>
#include <cmath>

#include "memory/allocator/explain/roles.h"

namespace headroom::allocator {
namespace {

enum class Of { training, inference, both };

/// A change that shrinks all memory of one role.
struct Change {
  Of of;
  MemoryRole role;
  double share;  ///< share of the bytes that remain
  const char* change;
  const char* price;
};

constexpr Change kChanges[] = {
    {Of::training, MemoryRole::activations, 0.5, "half the batch, gradients accumulated over two",
     "the same work in twice the steps"},
    {Of::inference, MemoryRole::activations, 0.5, "half the batch", "twice as many batches"},
    {Of::both, MemoryRole::activations, 0.5, "activations in bf16 (autocast), where they are fp32 now",
     "less precise products; needs no more time"},
    {Of::training, MemoryRole::optimizer_state, 0.25, "optimiser state in 8 bit, where it is fp32 now",
     "another optimiser, slightly other updates"},
    {Of::training, MemoryRole::optimizer_state, 0.0, "optimiser state on the host",
     "its transfer over the bus in every step"},
};

/// A forward pass that a backward pass follows keeps about half of what it asks for, until the end if that is
/// where it was cut off; one of inference frees it.
constexpr double kKeptForBackward = 0.3, kKeptToTheEnd = 0.5;

/// Whether activations wait for a backward pass, which may have been cut off. Taken for granted without
/// stacks.
bool is_training(const Recording& recording, const std::vector<Lifetime>& lifetimes,
                 const std::vector<MemoryRole>& roles, std::size_t peak, std::size_t last) {
  if (recording.stacks.empty() ||
      std::any_of(recording.stacks.begin(), recording.stacks.end(),
                  [](const StackSummary& stack) { return stack.in_backward || stack.in_optimizer; })) {
    return true;
  }
  double made = 0, at_peak = 0, at_end = 0;
  for (std::size_t i = 0; i < lifetimes.size(); ++i) {
    const Lifetime& lifetime = lifetimes[i];
    if (roles[i] != MemoryRole::activations || lifetime.resident || lifetime.born > peak) {
      continue;
    }
    const auto bytes = static_cast<double>(lifetime.bytes);
    made += bytes;
    at_peak += lifetime.lives_after(peak) ? bytes : 0;
    at_end += lifetime.lives_after(peak) && lifetime.lives_after(last) ? bytes : 0;
  }
  return at_peak >= kKeptForBackward * made && at_end >= kKeptToTheEnd * at_peak;
}

}  // namespace

std::vector<MemorySaving> savings_of(const Recording& recording, const std::vector<Lifetime>& lifetimes,
                                     const std::vector<MemoryRole>& roles, std::size_t last) {
  const LivePeak peak = live_peak(recording, lifetimes);
  const auto held = live_by_role(lifetimes, roles, peak.event);
  const bool trains = is_training(recording, lifetimes, roles, peak.event, last);
  std::vector<MemorySaving> savings;
  for (const Change& change : kChanges) {
    const std::uint64_t bytes = held.at(static_cast<std::size_t>(change.role));
    if (bytes * 100 < peak.bytes || change.of == (trains ? Of::inference : Of::training)) {
      continue;
    }
    const LivePeak then = live_peak(recording, lifetimes, [&](std::size_t allocation) {
      const std::uint64_t size = lifetimes[allocation].bytes;
      return roles[allocation] == change.role
                 ? static_cast<std::uint64_t>(change.share * static_cast<double>(size))
                 : size;
    });
    savings.push_back({change.role, change.change, change.price, bytes,
                       peak.bytes - std::min(peak.bytes, then.bytes), true});
  }
  std::size_t blocks = 0;
  for (std::size_t i = 0; i < lifetimes.size(); ++i) {
    blocks += roles[i] == MemoryRole::activations && lifetimes[i].lives_after(peak.event) ? 1U : 0U;
  }
  const std::uint64_t activations = held.at(static_cast<std::size_t>(MemoryRole::activations));
  // One checkpoint every sqrt(n) of n tensors: sqrt(n) of them and the sqrt(n) between two stay (Chen et al.
  // 2016, "Training Deep Nets with Sublinear Memory Cost").
  const double left = blocks == 0 ? 1 : std::min(1.0, 2 / std::sqrt(static_cast<double>(blocks)));
  if (trains && left < 1 && activations * 100 >= peak.bytes) {
    savings.push_back({MemoryRole::activations, "activation checkpointing",
                       "one more forward pass, some 30 % more time", activations,
                       static_cast<std::uint64_t>((1 - left) * static_cast<double>(activations)), false});
  }
  std::erase_if(savings, [&](const MemorySaving& saving) { return saving.saved_bytes * 100 < peak.bytes; });
  std::stable_sort(savings.begin(), savings.end(),
                   [](const MemorySaving& left_one, const MemorySaving& right) {
                     return left_one.saved_bytes > right.saved_bytes;
                   });
  return savings;
}

}  // namespace headroom::allocator
