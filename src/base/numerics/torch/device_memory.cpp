#include "base/numerics/torch/device_memory.h"

#ifdef MOLGAUGE_WITH_CUDA
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <cuda_runtime_api.h>

#include "base/numerics/torch/device.h"
#endif

namespace molgauge::torch {

#ifdef MOLGAUGE_WITH_CUDA
namespace {

// Each statistic is an array with an entry for each pool of the allocator, and an entry for their sum. This
// constant is the index of the sum. The name of this index differs between LibTorch versions, but its value
// is always 0.
constexpr std::size_t kAggregate = 0;

template <typename Statistics>
std::uint64_t peak_of(const Statistics& statistics) {
  return static_cast<std::uint64_t>(statistics[kAggregate].peak);
}

class CudaMemory : public memory::DeviceProbe {
 public:
  explicit CudaMemory(c10::DeviceIndex device) : device_(device) {}

  memory::DeviceMemory read() override {
    const auto statistics = c10::cuda::CUDACachingAllocator::getDeviceStats(device_);
    return {.peak_allocated = peak_of(statistics.allocated_bytes),
            .peak_reserved = peak_of(statistics.reserved_bytes),
            .peak_active = peak_of(statistics.active_bytes),
            .reserved = static_cast<std::uint64_t>(statistics.reserved_bytes[kAggregate].current),
            .retries = static_cast<std::uint64_t>(statistics.num_alloc_retries),
            .refusals = static_cast<std::uint64_t>(statistics.num_ooms)};
  }
  memory::DeviceSpace space() override { return device_space({c10::kCUDA, device_}); }
  void reset_peak() override { c10::cuda::CUDACachingAllocator::resetPeakStats(device_); }

 private:
  c10::DeviceIndex device_;
};

}  // namespace

std::unique_ptr<memory::DeviceProbe> device_probe(c10::Device device) {
  if (!device.is_cuda()) {
    return nullptr;
  }
  start_device(device);
  return std::make_unique<CudaMemory>(indexed(device).index());
}

memory::DeviceSpace device_space(c10::Device device) {
  if (!device.is_cuda()) {
    return {};
  }
  const c10::cuda::CUDAGuard guard(indexed(device));
  std::size_t free = 0, total = 0;
  if (cudaMemGetInfo(&free, &total) != cudaSuccess) {
    cudaGetLastError();  // clears the error, because a driver without memory figures is not a failure
    return {};
  }
  return {free, total};
}

void limit_device_memory(c10::Device device, std::uint64_t bytes) {
  if (!device.is_cuda()) {
    return;
  }
  start_device(device);
  const memory::DeviceSpace space = device_space(device);
  if (space.total > 0) {
    const double fraction = static_cast<double>(bytes) / static_cast<double>(space.total);
    c10::cuda::CUDACachingAllocator::setMemoryFraction(fraction < 1 ? fraction : 1, indexed(device).index());
  }
}
#else
std::unique_ptr<memory::DeviceProbe> device_probe(c10::Device /*device*/) { return nullptr; }
memory::DeviceSpace device_space(c10::Device /*device*/) { return {}; }
void limit_device_memory(c10::Device /*device*/, std::uint64_t /*bytes*/) {}
#endif

}  // namespace molgauge::torch
