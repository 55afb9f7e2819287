#include "memgauge/explain/message_figures.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace molgauge::allocator {
namespace {

constexpr std::uint64_t kMib = std::uint64_t{1} << 20;
/// Sizes of a CUDA context without tensors, depending on the card and the libraries.
constexpr std::uint64_t kSmallestContext = 64 * kMib, kLargestContext = 1024 * kMib;
/// Contexts of one program on one card differ by less than this factor.
constexpr std::uint64_t kSimilar = 2;

std::uint64_t listed_bytes(const OutOfMemoryMessage& message) {
  std::uint64_t bytes = 0;
  for (const auto& process : message.processes) {
    bytes += process.bytes;
  }
  return bytes;
}

const char* meaning_of_allowed(const OutOfMemoryMessage& message) {
  return message.platform == MessagePlatform::mps ? "that MPS may use"
                                                  : "maximum of this process, set by a memory fraction";
}

}  // namespace

void find_own_process(OutOfMemoryMessage& message) {
  auto& listed = message.processes;
  if (message.this_process || !message.reserved) {
    return;
  }
  // In a container, PyTorch does not recognise its own process and lists it as another process. This process
  // uses the memory of the allocator plus a CUDA context.
  const auto own = std::find_if(listed.begin(), listed.end(), [&](const ListedProcess& process) {
    return process.bytes >= *message.reserved && process.bytes - *message.reserved <= kOrdinaryContext;
  });
  if (own != listed.end()) {
    message.this_process = own->bytes;
    listed.erase(own);
  }
}

void list_figures(const OutOfMemoryMessage& m, MessageVerdict& verdict) {
  const auto add = [&](const std::optional<std::uint64_t>& bytes, std::string meaning) {
    if (bytes) {
      verdict.figures.push_back({std::move(meaning), *bytes});
    }
  };
  add(m.requested, "size of the request that failed");
  add(m.capacity, "memory of the device");
  add(m.allowed, meaning_of_allowed(m));
  if (m.platform == MessagePlatform::mps) {
    add(m.reserved, "allocated by PyTorch, including buffers that it keeps for reuse");
    add(m.other_allocations, "used outside of PyTorch's allocator");
    return;
  }
  if (m.source == MessageSource::malloc_async) {
    add(m.device_free, "free at the driver, outside of the pool of cudaMallocAsync");
    add(m.allocated, "in use by tensors");
    return;
  }
  add(m.device_free, "free at the driver, after PyTorch had released its unused segments");
  add(m.reserved, "reserved by PyTorch's allocator in this process");
  add(m.allocated, "of them in use by tensors, rounded up to blocks");
  add(m.in_pools, "of the tensors in private pools (CUDA graphs, MemPool)");
  add(m.unallocated(), m.in_pools
                           ? "reserved but free, in private pools or in segments that still contain a tensor"
                           : "reserved but free, in segments that still contain a tensor");
  if (m.this_process && m.reserved && *m.this_process > *m.reserved) {
    add(*m.this_process - *m.reserved,
        "used by this process outside the allocator (CUDA context, libraries)");
  }
  for (const auto& process : m.processes) {
    add(process.bytes, fmt::format("used by process {}", process.id));
  }
  if (m.capacity && m.device_free && m.reserved) {
    const std::uint64_t known = *m.device_free + std::max(*m.reserved, m.this_process.value_or(0));
    verdict.others = *m.capacity - std::min(*m.capacity, known);
    if (!m.this_process) {
      add(verdict.others, "neither free nor reserved: the CUDA context and other processes");
    } else if (m.processes.empty()) {
      add(verdict.others, "used by the driver or by other processes, which the message does not list");
    }
  }
}

std::uint64_t bytes_of_others(const OutOfMemoryMessage& message, const MessageVerdict& verdict) {
  const std::uint64_t unlisted = verdict.others.value_or(0);
  const std::uint64_t context = message.this_process ? 256 * kMib : kOrdinaryContext;
  return std::max(listed_bytes(message), unlisted > context ? unlisted : 0);
}

IdleContexts idle_contexts(const OutOfMemoryMessage& message) {
  IdleContexts found;
  for (const auto& process : message.processes) {
    if (process.bytes > kLargestContext) {
      continue;
    }
    found.least = found.count == 0 ? process.bytes : std::min(found.least, process.bytes);
    found.most = std::max(found.most, process.bytes);
    found.bytes += process.bytes;
    ++found.count;
  }
  const bool similar = found.least >= kSmallestContext && found.most <= kSimilar * found.least;
  return found.count >= 2 && similar ? found : IdleContexts{};
}

}  // namespace molgauge::allocator
