#include "memgauge/explain/oom_message.h"

#include <algorithm>

#include "memgauge/explain/message_numbers.h"

namespace molgauge::allocator {
namespace {

constexpr std::size_t kMaxProcesses = 64;

std::optional<std::uint64_t> sum(std::optional<std::uint64_t> one, std::optional<std::uint64_t> other) {
  return one && other ? std::optional(*one + *other) : std::nullopt;
}

/// Parses each "Process 4711 has 14.52 GiB memory in use. "
std::vector<ListedProcess> processes(std::string_view text) {
  constexpr std::string_view kProcess = "Process ", kHas = " has ";
  std::vector<ListedProcess> found;
  for (std::size_t at = text.find(kProcess); at != std::string_view::npos && found.size() < kMaxProcesses;
       at = text.find(kProcess, at + 1)) {
    const std::string_view rest = text.substr(at);
    const auto id = count_after(rest, kProcess);
    const auto bytes = size_after(rest, kHas);
    if (id && bytes) {
      found.push_back({*id, *bytes});
    }
  }
  return found;
}

/// PyTorch 1.0 to 2.0: "(GPU 0; 6.00 GiB total capacity; 781 MiB already allocated; ...)".
void read_first_form(std::string_view text, OutOfMemoryMessage& message) {
  message.device = count_after(text, "(GPU ");
  message.capacity = size_before(text, " total capacity");
  message.allocated = size_before(text, " already allocated");
  message.device_free = size_before(text, " free;");
  message.free_overflowed = is_oversized(number_before(text, " free;"));
  message.allowed = size_before(text, " allowed;");
  if (const auto cached = size_before(text, " cached)")) {
    message.versions =
        "1.0 to 1.3";  // these versions report "cached" memory, which is reserved memory that no tensor uses
    message.reserved = sum(message.allocated, cached);
  } else {
    message.reserved = size_before(text, " reserved in total by PyTorch");
    message.names_fractions = contains(text, "max_split_size_mb");
    message.versions = message.names_fractions ? "1.11 to 2.0" : "1.4 to 1.10";
  }
}

/// PyTorch 2.1 and later: "GPU 0 has a total capacity of 23.65 GiB of which 11 MiB is free. ...".
void read_second_form(std::string_view text, OutOfMemoryMessage& message) {
  message.device = count_after(text, ". GPU ");
  message.capacity =
      size_after(text, contains(text, "total capacty of") ? "total capacty of" : "total capacity of");
  message.device_free = size_before(text, " is free");
  message.free_overflowed = is_oversized(number_before(text, " is free"));
  message.this_process = size_after(text, "this process has ");
  message.processes = processes(text);
  message.allowed = size_before(text, " allowed;");
  message.allocated = size_after(text, "Of the allocated memory ");
  message.in_pools = size_before(text, " allocated in private pools");
  message.reserved = sum(message.allocated, size_before(text, " is reserved by PyTorch but unallocated"));
  // Without these figures, the message was cut off, so the version is unknown.
  if (message.capacity || message.allocated) {
    message.versions = contains(text, "total capacty of") ? "2.1" : "2.2 or later";
    message.has_expandable_segments = true;
    message.names_fractions = true;
  }
}

/// ComfyUI and other programs shorten the message of cudaMallocAsync to "Allocation on device".
void read_malloc_async(std::string_view text, OutOfMemoryMessage& message) {
  message.device = count_after(text, "llocation on device ");
  message.allocated = size_in_line(text, "Currently allocated");
  message.requested = size_in_line(text, "Requested");
  message.capacity = size_in_line(text, "Device limit");
  message.device_free = size_in_line(text, "Free (according to CUDA)");
  message.allowed = size_in_line(text, "PyTorch limit");
  if (message.allocated) {
    message.versions = "2.0 or later, with backend:cudaMallocAsync";
  }
}

/// "MPS backend out of memory (MPS allocated: 8.74 GB, other allocations: 402 MB, max allowed: 9.07 GB)."
/// The allocated memory includes the cached buffers of the allocator, so it is its reserved memory.
void read_mps(std::string_view text, OutOfMemoryMessage& message) {
  message.versions = "1.13 or later";
  message.reserved = size_after(text, "MPS allocated:");
  message.other_allocations = size_after(text, "other allocations:");
  message.allowed = size_after(text, "max allowed:");
  message.requested = size_after(text, "Tried to allocate ");
}

void read_caching_allocator(std::string_view text, OutOfMemoryMessage& message) {
  message.requested = size_after(text, "Tried to allocate ");
  message.request_is_absurd = contains(text, "more than 1EB");
  if (contains(text, "total capacity;")) {
    read_first_form(text, message);
  } else {
    read_second_form(text, message);
  }
}

void read_host(std::string_view text, OutOfMemoryMessage& message) {
  for (const std::string_view phrase : {"you tried to allocate ", "Unable to allocate "}) {
    if (contains(text, phrase)) {
      message.requested = size_after(text, phrase);
      message.request_is_absurd = is_oversized(text_after(text, phrase));
      return;
    }
  }
}

}  // namespace

std::optional<std::uint64_t> OutOfMemoryMessage::unallocated() const {
  return reserved && allocated ? std::optional(*reserved - std::min(*reserved, *allocated)) : std::nullopt;
}

void read_figures(std::string_view part, OutOfMemoryMessage& message) {
  switch (message.source) {
    case MessageSource::caching_allocator:
      return message.platform == MessagePlatform::mps ? read_mps(part, message)
                                                      : read_caching_allocator(part, message);
    case MessageSource::malloc_async:
      return read_malloc_async(part, message);
    case MessageSource::host:
      return read_host(part, message);
    case MessageSource::buffer_limit:
      message.requested = size_after(
          part, message.platform == MessagePlatform::mps ? "Invalid buffer size: " : "Tried to allocate ");
      message.device = count_after(part, "(GPU ");
      message.capacity = size_before(part, " total capacity");
      return;
    default:
      return;
  }
}

}  // namespace molgauge::allocator
