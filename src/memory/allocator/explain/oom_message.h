#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::allocator {

/// The part of a program that reported that memory ran out.
enum class MessageSource {
  caching_allocator,  ///< PyTorch's allocator for CUDA, ROCm, XPU or MPS
  malloc_async,       ///< the backend cudaMallocAsync
  driver,             ///< the CUDA driver or runtime, outside of an allocator
  library,            ///< cuBLAS, cuDNN or NCCL
  host,               ///< the memory of the computer
};

enum class MessagePlatform { cuda, rocm, xpu, mps, host };

/// A process that the message lists.
struct ListedProcess {
  std::uint64_t id = 0, bytes = 0;
};

/// The figures in the text of an out-of-memory error of PyTorch. A figure is none if the text does not
/// contain it, or if it overflowed (17179869184.00 GiB).
struct OutOfMemoryMessage {
  MessageSource source = MessageSource::caching_allocator;
  MessagePlatform platform = MessagePlatform::cuda;
  std::string versions;  ///< of PyTorch that write this form: "1.4 to 1.10". Empty: unknown
  std::string library;   ///< "cuBLAS", for MessageSource::library
  std::optional<std::uint64_t> device;
  std::optional<std::uint64_t> requested, capacity, device_free;
  std::optional<std::uint64_t> allocated;          ///< by tensors, private pools included
  std::optional<std::uint64_t> reserved;           ///< by the allocator
  std::optional<std::uint64_t> in_pools;           ///< of `allocated`, in private pools
  std::optional<std::uint64_t> allowed;            ///< by a memory fraction
  std::optional<std::uint64_t> this_process;       ///< with the CUDA context and libraries
  std::optional<std::uint64_t> other_allocations;  ///< of MPS, outside of the allocator
  std::vector<ListedProcess> processes;            ///< others on the card
  bool request_is_absurd = false;                  ///< the request was for more than an exbibyte
  bool has_expandable_segments = false;            ///< the version has the setting expandable_segments

  /// The reserved bytes that are not allocated.
  std::optional<std::uint64_t> unallocated() const;
};

/// Finds and reads the last out-of-memory message in a text, such as the output of a program with a
/// traceback. It knows all forms that PyTorch 1.0 to 2.11 writes. None: the text does not contain a message.
std::optional<OutOfMemoryMessage> read_message(std::string_view text);

}  // namespace headroom::allocator
