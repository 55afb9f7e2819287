#pragma once

#include <cstdint>

#include "memgauge/explain/message_verdict.h"

namespace molgauge::allocator {

/// A CUDA context with its libraries takes 0.3 to 1 GiB. If more memory than this constant lies outside
/// the allocator, it belongs to other processes or to libraries that allocate their own memory.
inline constexpr std::uint64_t kOrdinaryContext = (std::uint64_t{1} << 30) * 3 / 2;

/// Lists the figures of the message with their meanings in `verdict.figures`, and sets `verdict.others`.
void list_figures(const OutOfMemoryMessage& message, MessageVerdict& verdict);

/// Bytes of other processes: the listed memory, or the unlisted memory if it is larger. Unlisted memory
/// that a CUDA context explains does not count.
std::uint64_t bytes_of_others(const OutOfMemoryMessage& message, const MessageVerdict& verdict);

/// Processes of a list that use as much memory as a CUDA context without tensors.
struct IdleContexts {
  std::size_t count = 0;
  std::uint64_t least = 0, most = 0, bytes = 0;
};

/// Finds at least two processes of similar size, none of which is larger than a context.
IdleContexts idle_contexts(const OutOfMemoryMessage& message);

}  // namespace molgauge::allocator
