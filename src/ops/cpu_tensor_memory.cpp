#include "ops/cpu_tensor_memory.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/util/Exception.h>

#include "core/bytes.h"
#include "ops/torch_compatibility.h"

namespace headroom::ops {
namespace {

/// Above LibTorch's own allocator, which registers itself with 0.
constexpr std::uint8_t kPriority = 1;
/// What tensors are aligned to; in front of each, its size takes as much.
constexpr std::size_t kAlignment = 64;

memory::AllocationMeter& meter() {
  // Never destroyed: tensors of static duration are freed after main().
  static auto* const instance = new memory::AllocationMeter();
  return *instance;
}

[[noreturn]] void refuse(std::size_t bytes) {
  const std::uint64_t limit = meter().limit();
  const std::string budget =
      limit == memory::AllocationMeter::kNoLimit ? "" : " of " + format_bytes(limit) + " for tensors";
  throw c10::OutOfMemoryError({__func__, __FILE__, __LINE__},
                              "out of memory: " + format_bytes(bytes) + " more do not fit the budget" +
                                  budget + "; " + format_bytes(meter().allocated_bytes()) + " are in use");
}

void release(void* tensor) {
  if (tensor == nullptr) {
    return;
  }
  auto* const block = static_cast<std::byte*>(tensor) - kAlignment;
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, block, sizeof bytes);
  meter().freed(reinterpret_cast<std::uintptr_t>(tensor), bytes);
  std::free(block);
}

void* obtain(std::size_t bytes) {
  if (bytes == 0) {
    return nullptr;
  }
  if (!meter().admit(bytes)) {
    refuse(bytes);
  }
  void* block = nullptr;
  if (bytes > SIZE_MAX - kAlignment || posix_memalign(&block, kAlignment, bytes + kAlignment) != 0) {
    meter().withdraw(bytes);
    refuse(bytes);
  }
  const std::uint64_t size = bytes;
  std::memcpy(block, &size, sizeof size);
  void* const tensor = static_cast<std::byte*>(block) + kAlignment;
  meter().placed(reinterpret_cast<std::uintptr_t>(tensor), bytes);
  return tensor;
}

/// Workspaces and handles of CUDA's libraries are not LibTorch's to allocate; of their failures it passes on
/// the name.
bool says_that_cuda_ran_out(std::string_view text) {
  constexpr std::array kNames = {"CUDA error: out of memory",     "CUBLAS_STATUS_ALLOC_FAILED",
                                 "CUBLAS_STATUS_NOT_INITIALIZED", "CUDNN_STATUS_ALLOC_FAILED",
                                 "CUSPARSE_STATUS_ALLOC_FAILED",  "CUSOLVER_STATUS_ALLOC_FAILED"};
  return std::any_of(kNames.begin(), kNames.end(),
                     [&](std::string_view name) { return text.find(name) != std::string_view::npos; });
}

class MeteredAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) HEADROOM_ALLOCATE_CONST override {
    void* const tensor = obtain(bytes);
    return {tensor, tensor, &release, c10::Device(c10::kCPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &release; }
#if HEADROOM_ALLOCATORS_COPY
  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    default_copy_data(to, from, bytes);
  }
#endif
};

}  // namespace

memory::AllocationMeter& cpu_tensor_memory() {
  static const bool installed = [] {
    static MeteredAllocator allocator;
    c10::SetCPUAllocator(&allocator, kPriority);
    return true;
  }();
  static_cast<void>(installed);
  return meter();
}

bool is_out_of_memory(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const c10::OutOfMemoryError&) {
    return true;
  } catch (const std::bad_alloc&) {
    return true;
  } catch (const c10::Error& error) {
    return says_that_cuda_ran_out(error.what_without_backtrace());
  } catch (...) {
    return false;
  }
}

}  // namespace headroom::ops
