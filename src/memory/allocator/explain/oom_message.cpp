#include "memory/allocator/explain/oom_message.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace headroom::allocator {
namespace {

/// Maximum number of characters in a message, including the list of processes.
constexpr std::size_t kLongestMessage = std::size_t{16} * 1024;
constexpr double kMostBytes = 1e15;  ///< a larger figure is the result of an overflow
constexpr std::size_t kMaxProcesses = 64;

bool is_space(char character) {
  return character == ' ' || character == '\t' || character == '\n' || character == '\r';
}

std::string_view trimmed_start(std::string_view text) {
  while (!text.empty() && is_space(text.front())) {
    text.remove_prefix(1);
  }
  return text;
}
std::string_view trimmed_end(std::string_view text) {
  while (!text.empty() && is_space(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Bytes of a unit. PyTorch uses powers of 1024, even for "MB" and "GB" in messages of MPS.
std::optional<double> unit_bytes(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 12> units = {{{"bytes", 1.0},
                                                                          {"byte", 1.0},
                                                                          {"KiB", 1024.0},
                                                                          {"MiB", 1048576.0},
                                                                          {"GiB", 1073741824.0},
                                                                          {"TiB", 1099511627776.0},
                                                                          {"PiB", 1125899906842624.0},
                                                                          {"KB", 1024.0},
                                                                          {"MB", 1048576.0},
                                                                          {"GB", 1073741824.0},
                                                                          {"TB", 1099511627776.0},
                                                                          {"B", 1.0}}};
  for (const auto& [unit, bytes] : units) {
    if (text.starts_with(unit)) {
      return bytes;
    }
  }
  return std::nullopt;
}

std::optional<double> number_at(std::string_view text, std::string_view& rest) {
  double value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc() || !std::isfinite(value) || value < 0) {
    return std::nullopt;
  }
  rest = text.substr(static_cast<std::size_t>(end - text.data()));
  return value;
}

/// Parses "12.50 MiB" at the beginning of a text.
std::optional<std::uint64_t> size_at(std::string_view text) {
  std::string_view rest;
  const auto value = number_at(trimmed_start(text), rest);
  if (!value) {
    return std::nullopt;
  }
  const auto unit = unit_bytes(trimmed_start(rest));
  if (!unit || *value * *unit > kMostBytes) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(std::llround(*value * *unit));
}

std::optional<std::uint64_t> size_after(std::string_view text, std::string_view phrase) {
  const std::size_t at = text.find(phrase);
  return at == std::string_view::npos ? std::nullopt : size_at(text.substr(at + phrase.size()));
}

/// Parses the two words before a phrase, for example "9.28 GiB free".
std::optional<std::uint64_t> size_before(std::string_view text, std::string_view phrase) {
  const std::size_t at = text.find(phrase);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view before = trimmed_end(text.substr(0, at));
  const std::size_t unit = before.find_last_of(" \t\n");
  if (unit == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view number = trimmed_end(before.substr(0, unit));
  return size_at(before.substr(number.find_last_of(" \t\n(;,") + 1));
}

/// Parses a line of cudaMallocAsync, for example "Device limit            : 8.00 GiB".
std::optional<std::uint64_t> size_in_line(std::string_view text, std::string_view label) {
  const std::size_t at = text.find(label);
  const std::size_t colon = at == std::string_view::npos ? at : text.find(':', at);
  return colon == std::string_view::npos ? std::nullopt : size_at(text.substr(colon + 1));
}

std::optional<std::uint64_t> count_after(std::string_view text, std::string_view phrase) {
  const std::size_t at = text.find(phrase);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view rest = trimmed_start(text.substr(at + phrase.size()));
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

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
    const std::size_t has = rest.find(kHas);
    const auto bytes = has == std::string_view::npos ? std::nullopt : size_at(rest.substr(has + kHas.size()));
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
  message.allowed = size_before(text, " allowed;");
  if (const auto cached = size_before(text, " cached)")) {
    message.versions =
        "1.0 to 1.3";  // these versions report "cached" memory, which is reserved memory that no tensor uses
    message.reserved = sum(message.allocated, cached);
  } else {
    message.reserved = size_before(text, " reserved in total by PyTorch");
    message.versions = contains(text, "max_split_size_mb") ? "1.11 to 2.0" : "1.4 to 1.10";
  }
}

/// PyTorch 2.1 and later: "GPU 0 has a total capacity of 23.65 GiB of which 11 MiB is free. ...".
void read_second_form(std::string_view text, OutOfMemoryMessage& message) {
  message.device = count_after(text, ". GPU ");
  message.capacity =
      size_after(text, contains(text, "total capacty of") ? "total capacty of" : "total capacity of");
  message.device_free = size_before(text, " is free");
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
  }
}

void read_malloc_async(std::string_view text, OutOfMemoryMessage& message) {
  message.source = MessageSource::malloc_async;
  message.versions = "2.0 or later, with backend:cudaMallocAsync";
  message.device = count_after(text, "llocation on device ");
  message.allocated = size_in_line(text, "Currently allocated");
  message.requested = size_in_line(text, "Requested");
  message.capacity = size_in_line(text, "Device limit");
  message.device_free = size_in_line(text, "Free (according to CUDA)");
  message.allowed = size_in_line(text, "PyTorch limit");
}

/// "MPS backend out of memory (MPS allocated: 8.74 GB, other allocations: 402 MB, max allowed: 9.07 GB)."
void read_mps(std::string_view text, OutOfMemoryMessage& message) {
  message.platform = MessagePlatform::mps;
  message.versions = "1.13 or later";
  message.allocated = size_after(text, "MPS allocated:");
  message.other_allocations = size_after(text, "other allocations:");
  message.allowed = size_after(text, "max allowed:");
  message.requested = size_after(text, "Tried to allocate ");
}

struct Beginning {
  std::string_view text;
  MessageSource source;
  MessagePlatform platform;
  std::string_view library;
};

/// For each source, the texts that identify its messages.
constexpr std::array<Beginning, 17> kBeginnings = {{
    {"CUDA out of memory", MessageSource::caching_allocator, MessagePlatform::cuda, ""},
    {"HIP out of memory", MessageSource::caching_allocator, MessagePlatform::rocm, ""},
    {"XPU out of memory", MessageSource::caching_allocator, MessagePlatform::xpu, ""},
    {"MPS backend out of memory", MessageSource::caching_allocator, MessagePlatform::mps, ""},
    {"would exceed allowed memory", MessageSource::malloc_async, MessagePlatform::cuda, ""},
    {"CUDA error: out of memory", MessageSource::driver, MessagePlatform::cuda, ""},
    {"CUDA driver error: out of memory", MessageSource::driver, MessagePlatform::cuda, ""},
    {"cuda runtime error (2)", MessageSource::driver, MessagePlatform::cuda, ""},
    {"HIP error: out of memory", MessageSource::driver, MessagePlatform::rocm, ""},
    {"CUBLAS_STATUS_ALLOC_FAILED", MessageSource::library, MessagePlatform::cuda, "cuBLAS"},
    {"CUSOLVER_STATUS_ALLOC_FAILED", MessageSource::library, MessagePlatform::cuda, "cuSOLVER"},
    {"CUSPARSE_STATUS_ALLOC_FAILED", MessageSource::library, MessagePlatform::cuda, "cuSPARSE"},
    {"CUDNN_STATUS_ALLOC_FAILED", MessageSource::library, MessagePlatform::cuda, "cuDNN"},
    {"CUFFT_ALLOC_FAILED", MessageSource::library, MessagePlatform::cuda, "cuFFT"},
    {"Failed to CUDA calloc", MessageSource::library, MessagePlatform::cuda, "NCCL"},
    {"DefaultCPUAllocator: can't allocate memory", MessageSource::host, MessagePlatform::host, ""},
    {"DefaultCPUAllocator: not enough memory", MessageSource::host, MessagePlatform::host, ""},
}};

/// The position of the last message in a text, and the entry of kBeginnings that identified it.
std::optional<std::pair<std::size_t, const Beginning*>> last_message(std::string_view text) {
  std::optional<std::pair<std::size_t, const Beginning*>> last;
  for (const auto& beginning : kBeginnings) {
    const std::size_t at = text.rfind(beginning.text);
    if (at != std::string_view::npos && (!last || at > last->first)) {
      last = {at, &beginning};
    }
  }
  return last;
}

}  // namespace

std::optional<std::uint64_t> OutOfMemoryMessage::unallocated() const {
  return reserved && allocated ? std::optional(*reserved - std::min(*reserved, *allocated)) : std::nullopt;
}

std::optional<OutOfMemoryMessage> read_message(std::string_view text) {
  const auto found = last_message(text);
  if (!found) {
    return std::nullopt;
  }
  const auto& [at, beginning] = *found;
  OutOfMemoryMessage message;
  message.source = beginning->source;
  message.platform = beginning->platform;
  message.library = beginning->library;
  // In messages of cudaMallocAsync, the device comes before the words that identify the message.
  const std::size_t start =
      message.source == MessageSource::malloc_async ? text.rfind("llocation on device", at) : at;
  const std::string_view part = text.substr(start == std::string_view::npos ? at : start, kLongestMessage);
  if (message.source == MessageSource::malloc_async) {
    read_malloc_async(part, message);
  } else if (message.source == MessageSource::host) {
    message.requested = size_after(part, "you tried to allocate ");
  } else if (message.platform == MessagePlatform::mps) {
    read_mps(part, message);
  } else if (message.source == MessageSource::caching_allocator) {
    message.requested = size_after(part, "Tried to allocate ");
    message.request_is_absurd = contains(part, "more than 1EB");
    if (contains(part, "total capacity;")) {
      read_first_form(part, message);
    } else {
      read_second_form(part, message);
    }
  }
  return message;
}

}  // namespace headroom::allocator
