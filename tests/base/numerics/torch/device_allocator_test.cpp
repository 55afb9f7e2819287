#include "base/numerics/torch/device_allocator.h"

#include <gmock/gmock.h>

#include "base/core/error.h"
#include "base/numerics/torch/torch_compatibility.h"

#ifdef MOLGAUGE_WITH_CUDA
#include <c10/cuda/CUDAAllocatorConfig.h>
#endif

namespace molgauge::torch {
namespace {

using ::testing::HasSubstr;

const c10::Device kGpu(c10::kCUDA, 0);

std::string refusal(const std::string& settings, c10::Device device) {
  try {
    set_device_allocator(settings, device);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(DeviceAllocator, SettingsAreForAGpu) {
  EXPECT_THAT(refusal("expandable_segments:True", c10::kCPU), HasSubstr("no effect on the CPU"));
  EXPECT_EQ(refusal("", c10::kCPU), "");
}

TEST(DeviceAllocator, RefusesWhatItDoesNotKnow) {
  EXPECT_THAT(refusal("expandible_segments:True", kGpu), HasSubstr("--cuda-allocator expandible_segments"));
  EXPECT_THAT(refusal("max_split_size_mb:1", kGpu), HasSubstr("The smallest is 20"));
  EXPECT_THAT(refusal("backend:cudaMallocAsync", kGpu), HasSubstr("native"));
}

#if defined(MOLGAUGE_WITH_CUDA) && MOLGAUGE_TELLS_ALLOCATOR_SETTINGS
/// Sending the settings to LibTorch does not need a GPU.
TEST(DeviceAllocator, TellsLibTorchBeforeCudaStarts) {
  using Settings = c10::CachingAllocator::AcceleratorAllocatorConfig;
  set_device_allocator("expandable_segments:True,max_split_size_mb:128,garbage_collection_threshold:0.75",
                       kGpu);
  EXPECT_TRUE(Settings::use_expandable_segments());
  EXPECT_EQ(Settings::max_split_size(), std::size_t{128} << 20);
  EXPECT_DOUBLE_EQ(Settings::garbage_collection_threshold(), 0.75);
  EXPECT_THAT(device_allocator_settings(), HasSubstr("max_split_size_mb:128"));
  set_device_allocator("expandable_segments:False", kGpu);
  EXPECT_FALSE(Settings::use_expandable_segments());
  EXPECT_DOUBLE_EQ(Settings::garbage_collection_threshold(), 0.0);
}

TEST(DeviceAllocator, SaysWhatThisLibTorchRefuses) {
  // The simulation supports this setting of an earlier PyTorch version, but this LibTorch does not.
  EXPECT_THAT(refusal("use_cuda_host_register:True", kGpu), HasSubstr("refuses it"));
}
#endif

}  // namespace
}  // namespace molgauge::torch
