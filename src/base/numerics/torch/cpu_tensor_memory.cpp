#include "base/numerics/torch/cpu_tensor_memory.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <string_view>

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/util/Exception.h>

#include "base/memory/measure/tensor_memory.h"
#include "base/numerics/torch/torch_compatibility.h"

namespace molgauge::torch {
namespace {

/// The priority of the allocator. The allocator of LibTorch has priority 0.
constexpr std::uint8_t kPriority = 1;

void* obtain(std::size_t bytes) {
  try {
    return memory::obtain_tensor(bytes);
  } catch (const memory::OutOfTensorMemory& refused) {
    throw c10::OutOfMemoryError({__func__, __FILE__, __LINE__}, refused.what());
  }
}

/// Whether the text of an error contains the name of an out-of-memory error of CUDA. CUDA libraries allocate
/// workspaces and handles without the allocator of LibTorch. LibTorch reports only the name of their errors.
bool says_that_cuda_ran_out(std::string_view text) {
  constexpr std::array kNames = {"CUDA error: out of memory",     "CUBLAS_STATUS_ALLOC_FAILED",
                                 "CUBLAS_STATUS_NOT_INITIALIZED", "CUDNN_STATUS_ALLOC_FAILED",
                                 "CUSPARSE_STATUS_ALLOC_FAILED",  "CUSOLVER_STATUS_ALLOC_FAILED"};
  return std::any_of(kNames.begin(), kNames.end(),
                     [&](std::string_view name) { return text.find(name) != std::string_view::npos; });
}

class MeteredAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) MOLGAUGE_ALLOCATE_CONST override {
    void* const tensor = obtain(bytes);
    return {tensor, tensor, &memory::release_tensor, c10::Device(c10::kCPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &memory::release_tensor; }
#if MOLGAUGE_ALLOCATORS_COPY
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
  return memory::tensor_memory();
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

}  // namespace molgauge::torch
