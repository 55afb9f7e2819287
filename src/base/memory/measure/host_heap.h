#pragma once

#include <cstddef>

namespace molgauge::memory {

/// Tunes the heap of the C library for tensors. Tensors of up to 16 MiB come from the heap, and their memory
/// stays there for reuse. Returning it to the kernel each time would take a sixth of the time of an encoding.
/// Larger tensors are mapped, and their memory is returned immediately. `threads`: the number of threads that
/// allocate in parallel. Four threads share a heap, so that they can reuse memory of each other. If the
/// address space is limited (base/core/session/process_limits.h), there is a single heap. Existing heaps
/// stay. The function affects the whole process and may be called several times.
void tune_heap(std::size_t threads);

/// Returns free memory of the heap to the kernel, so that the resident memory contains only memory in use.
/// Takes milliseconds.
void return_freed_memory();

}  // namespace molgauge::memory
