#include "base/numerics/torch/device_allocator.h"

#include <cstdlib>

#include <c10/util/Exception.h>
#include <fmt/format.h>

#include "base/core/error.h"
#include "base/memory/trace/allocator_settings.h"
#include "base/numerics/torch/torch_compatibility.h"

#ifdef MOLGAUGE_WITH_CUDA
#include <c10/cuda/CUDACachingAllocator.h>
#endif

namespace molgauge::torch {
namespace {

void refuse_unknown(const std::string& settings) {
  try {
    allocator::parse_allocator_settings(settings);
  } catch (const UsageError& problem) {
    throw UsageError(fmt::format("--cuda-allocator {}: {}", settings, problem.what()));
  }
}

#ifdef MOLGAUGE_WITH_CUDA
void apply(const std::string& settings) {
  try {
    c10::cuda::CUDACachingAllocator::setAllocatorSettings(settings);
  } catch (const c10::Error& problem) {
    throw UsageError(fmt::format("--cuda-allocator {}: LibTorch {} refuses it: {}", settings, torch_version(),
                                 problem.what_without_backtrace()));
  }
}
#else
void apply(const std::string& /*settings*/) {}
#endif

}  // namespace

void set_device_allocator(const std::string& settings, c10::Device device) {
  if (settings.empty()) {
    return;
  }
  if (!device.is_cuda()) {
    throw UsageError("--cuda-allocator has no effect on the CPU. Use it with --device cuda");
  }
  refuse_unknown(settings);
  apply(settings);
}

std::string device_allocator_settings() {
#if defined(MOLGAUGE_WITH_CUDA) && MOLGAUGE_TELLS_ALLOCATOR_SETTINGS
  return c10::CachingAllocator::getAllocatorSettings();
#else
  const char* const settings = std::getenv("PYTORCH_CUDA_ALLOC_CONF");  // NOLINT(concurrency-mt-unsafe)
  return settings == nullptr ? "" : settings;
#endif
}

}  // namespace molgauge::torch
