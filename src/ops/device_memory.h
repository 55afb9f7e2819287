#pragma once

#include <memory>

#include <c10/core/Device.h>

#include "memory/device_probe.h"

namespace headroom::ops {

/// Peak memory of LibTorch's caching allocator on a GPU; nothing for the CPU.
std::unique_ptr<memory::DeviceProbe> device_probe(c10::Device device);

}  // namespace headroom::ops
