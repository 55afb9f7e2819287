#include "engine/cuda_allocator.h"

#include <cstdlib>

#include "allocator/allocator_settings.h"
#include "core/error.h"

namespace headroom::verbs {

void set_cuda_allocator(const std::string& settings, c10::Device device) {
  if (settings.empty()) {
    return;
  }
  if (!device.is_cuda()) {
    throw UsageError("--cuda-allocator has no effect on the CPU; use it with --device cuda");
  }
  allocator::parse_allocator_settings(settings);
  // Every version reads this variable, once, when the first tensor is allocated; its own function for
  // settings has moved between versions.
  setenv("PYTORCH_CUDA_ALLOC_CONF", settings.c_str(), /*overwrite=*/1);  // NOLINT(concurrency-mt-unsafe)
}

}  // namespace headroom::verbs
