#pragma once

#include <exception>

#include "memory/allocation_meter.h"

namespace headroom::ops {

/// The memory of CPU tensors in this process. The first call puts an allocator of ours under LibTorch that
/// counts what it hands out and keeps to the meter's limit: what is refused throws c10::OutOfMemoryError, as
/// CUDA tensors do. Tensors that were made before are not counted.
///
/// Bytes are those LibTorch asks for; each tensor costs 64 bytes more, for its size. Thread-safe.
memory::AllocationMeter& cpu_tensor_memory();

/// Whether an exception says that memory ran out: of the device (also of what CUDA's libraries take of it
/// past LibTorch's allocator), of the tensors' limit, or of the machine.
bool is_out_of_memory(const std::exception_ptr& failure);

}  // namespace headroom::ops
