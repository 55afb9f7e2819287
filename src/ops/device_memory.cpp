#include "ops/device_memory.h"

#ifdef HEADROOM_WITH_CUDA
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#endif

namespace headroom::ops {

#ifdef HEADROOM_WITH_CUDA
namespace {

// Element 0 of each statistic is the sum over the allocator's pools; its enumeration has moved between
// versions.
constexpr std::size_t kAggregate = 0;

class CudaMemory : public memory::DeviceProbe {
 public:
  explicit CudaMemory(c10::DeviceIndex device) : device_(device) {}

  std::uint64_t peak_bytes() override {
    c10::cuda::device_synchronize();
    const auto statistics = c10::cuda::CUDACachingAllocator::getDeviceStats(device_);
    return static_cast<std::uint64_t>(statistics.allocated_bytes[kAggregate].peak);
  }
  void reset_peak() override { c10::cuda::CUDACachingAllocator::resetPeakStats(device_); }

 private:
  c10::DeviceIndex device_;
};

}  // namespace

std::unique_ptr<memory::DeviceProbe> device_probe(c10::Device device) {
  return device.is_cuda() ? std::make_unique<CudaMemory>(device.index()) : nullptr;
}
#else
std::unique_ptr<memory::DeviceProbe> device_probe(c10::Device /*device*/) { return nullptr; }
#endif

}  // namespace headroom::ops
