#pragma once

#include <exception>

#include "base/memory/measure/allocation_meter.h"

namespace molgauge::torch {

/// Returns memory::tensor_memory(). The first call installs an allocator in LibTorch, so that the meter also
/// counts CPU tensors of LibTorch. If the meter refuses a request, the allocator throws
/// c10::OutOfMemoryError, as the CUDA allocator does. Tensors from before the first call are not counted.
/// Thread-safe.
memory::AllocationMeter& cpu_tensor_memory();

/// Whether an exception means that memory ran out on the device or the machine, or that the limit for tensors
/// was reached. This includes requests of CUDA libraries that bypass the allocator of LibTorch.
bool is_out_of_memory(const std::exception_ptr& failure);

}  // namespace molgauge::torch
