#pragma once

#include <string>

#include <c10/core/Device.h>

namespace headroom::verbs {

/// Tells LibTorch's CUDA caching allocator its settings, before it allocates anything. Empty text: nothing is
/// done. Throws UsageError when the device is no GPU, or a setting is unknown or out of range.
void set_cuda_allocator(const std::string& settings, c10::Device device);

}  // namespace headroom::verbs
