#pragma once

#include <exception>

#include "memory/measure/allocation_meter.h"

namespace headroom::torch {

/// memory::tensor_memory(), of which LibTorch's tensors on the CPU take part from the first call on: it puts
/// an allocator of ours under LibTorch. What is refused throws c10::OutOfMemoryError, as CUDA tensors do.
/// Tensors that were made before are not counted. Thread-safe.
memory::AllocationMeter& cpu_tensor_memory();

/// Whether an exception says that memory ran out: of the device (also of what CUDA's libraries take of it
/// past LibTorch's allocator), of the tensors' limit, or of the machine.
bool is_out_of_memory(const std::exception_ptr& failure);

}  // namespace headroom::torch
