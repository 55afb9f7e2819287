#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace molgauge::allocator {

/// The component that reported that memory ran out.
enum class MessageSource {
  caching_allocator,  ///< the allocator of PyTorch for CUDA, ROCm, XPU or MPS
  malloc_async,       ///< the cudaMallocAsync backend
  driver,             ///< the CUDA driver or runtime
  expandable,         ///< the CUDA driver, which expandable segments call directly
  library,            ///< cuBLAS, cuDNN, NCCL and other libraries
  host,               ///< PyTorch, NumPy or Python did not get main memory
  killed,             ///< the operating system ended a process
  shared_memory,      ///< /dev/shm was too small
  nvml,               ///< PyTorch failed to write the message, because NVML failed
  buffer_limit,       ///< one request exceeded the limit for one buffer
  serving_cache,      ///< an inference server found too little memory for its key-value cache
  serving_length,     ///< the key-value cache of an inference server is too small for one sequence
  serving_start,      ///< an inference server found too little free memory when it started
};

enum class MessagePlatform { cuda, rocm, xpu, mps, host };

/// A process in the list of the message.
struct ListedProcess {
  std::uint64_t id = 0, bytes = 0;
};

/// The figures in an out-of-memory message. A figure is empty if the message does not contain it or if it
/// overflowed (17179869184.00 GiB).
struct OutOfMemoryMessage {
  MessageSource source = MessageSource::caching_allocator;
  MessagePlatform platform = MessagePlatform::cuda;
  std::string versions;    ///< PyTorch versions with this form ("1.4 to 1.10"), or empty if unknown
  std::string library;     ///< the library or program that ran out, such as "cuBLAS". Empty for PyTorch
  bool is_certain = true;  ///< false if the text does not prove that memory ran out
  std::optional<std::uint64_t> rank;  ///< the rank that wrote the message, from "[rank1]:" in its line
  std::optional<std::uint64_t> device;
  std::optional<std::uint64_t> requested, capacity, device_free;
  std::optional<std::uint64_t> allocated;          ///< bytes in tensors, including private pools
  std::optional<std::uint64_t> reserved;           ///< bytes that the allocator has reserved
  std::optional<std::uint64_t> in_pools;           ///< the part of `allocated` in private pools
  std::optional<std::uint64_t> allowed;            ///< bytes that a memory fraction allows
  std::optional<std::uint64_t> this_process;       ///< bytes of this process, including the CUDA context and
                                                   ///< libraries
  std::optional<std::uint64_t> other_allocations;  ///< bytes of MPS outside of the allocator
  std::vector<ListedProcess> processes;            ///< other processes on the card
  bool request_is_absurd = false;        ///< the requested size is above an exbibyte, or above a petabyte of
                                         ///< main memory
  bool free_overflowed = false;          ///< the free memory is a number above a petabyte
  bool has_expandable_segments = false;  ///< the PyTorch version supports expandable_segments
  bool names_fractions = false;  ///< the version writes "allowed" if the program set a memory fraction

  /// The reserved bytes that no tensor uses.
  std::optional<std::uint64_t> unallocated() const;
  /// Whether the message has a figure of the device.
  bool has_numbers() const { return requested || capacity || allocated; }
};

/// Parses a message that begins at the beginning of `part`. Supports the forms of PyTorch 1.0 to 2.15.
/// `message` contains the source, the platform and the library.
void read_figures(std::string_view part, OutOfMemoryMessage& message);

}  // namespace molgauge::allocator
