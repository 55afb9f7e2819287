#pragma once

#include <exception>

#include "memory/measure/allocation_meter.h"

namespace headroom::torch {

/// memory::tensor_memory(), which counts LibTorch's tensors on the CPU, too, from the first call on: it puts
/// Headroom's allocator under LibTorch. A refused request throws c10::OutOfMemoryError, as CUDA tensors do.
/// Tensors that were made before are not counted. Thread-safe.
memory::AllocationMeter& cpu_tensor_memory();

/// Whether an exception says that memory ran out: on the device (also for requests of CUDA's libraries that
/// bypass LibTorch's allocator), at the tensors' limit, or on the machine.
bool is_out_of_memory(const std::exception_ptr& failure);

}  // namespace headroom::torch
