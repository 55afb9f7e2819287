#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::allocator {

/// The component that reported that memory ran out.
enum class MessageSource {
  caching_allocator,  ///< the allocator of PyTorch for CUDA, ROCm, XPU or MPS
  malloc_async,       ///< the cudaMallocAsync backend
  driver,             ///< the CUDA driver or runtime, outside of an allocator
  library,            ///< cuBLAS, cuDNN or NCCL
  host,               ///< the CPU allocator of PyTorch, which allocates main memory
};

enum class MessagePlatform { cuda, rocm, xpu, mps, host };

/// A process in the list of the message.
struct ListedProcess {
  std::uint64_t id = 0, bytes = 0;
};

/// The figures in an out-of-memory message of PyTorch. A figure is empty if the message does not contain it
/// or if it overflowed (17179869184.00 GiB).
struct OutOfMemoryMessage {
  MessageSource source = MessageSource::caching_allocator;
  MessagePlatform platform = MessagePlatform::cuda;
  std::string versions;  ///< PyTorch versions with this form ("1.4 to 1.10"), or empty if unknown
  std::string library;   ///< name such as "cuBLAS" if the source is MessageSource::library
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
  bool request_is_absurd = false;                  ///< the requested size is above an exbibyte
  bool has_expandable_segments = false;            ///< the PyTorch version supports expandable_segments

  /// The reserved bytes that no tensor uses.
  std::optional<std::uint64_t> unallocated() const;
};

/// Finds and parses the last out-of-memory message in a text, such as the output of a program with a
/// traceback. Supports all message formats of PyTorch 1.0 to 2.11. Returns nothing if there is no message.
std::optional<OutOfMemoryMessage> read_message(std::string_view text);

}  // namespace headroom::allocator
