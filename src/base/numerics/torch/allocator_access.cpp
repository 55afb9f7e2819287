#include "base/numerics/torch/allocator_access.h"

#ifdef MOLGAUGE_WITH_CUDA
#include <c10/cuda/CUDACachingAllocator.h>
#endif

#include "base/numerics/torch/cpu_tensor_memory.h"
#include "base/numerics/torch/device_events.h"
#include "base/numerics/torch/pinned_memory.h"

namespace molgauge::torch {

memory::AllocatorAccess allocator_access(c10::Device device) {
  memory::AllocatorAccess access;
  access.is_out_of_memory = is_out_of_memory;
  access.meter = device.is_cpu() ? &cpu_tensor_memory() : device_tensor_memory(device);
#ifdef MOLGAUGE_WITH_CUDA
  if (device.is_cuda()) {
    access.release_cached = [] {
      c10::cuda::CUDACachingAllocator::emptyCache();
      if (PinnedMemory* const pinned = pinned_memory()) {
        pinned->release();
      }
    };
  }
#endif
  return access;
}

}  // namespace molgauge::torch
