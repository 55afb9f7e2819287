#pragma once

#include <cstddef>

namespace headroom::memory {

/// Tunes the heap of the C library for tensors. Sizes up to 16 MiB come from the heap and stay there for
/// reuse, because returning them to the kernel each time would cost a sixth of the time of an encoding.
/// Larger sizes are mapped and returned at once. `threads`: the number of threads that allocate in parallel.
/// Every four threads share a heap, to reuse memory that another thread freed. If the address space is
/// limited (core/process_limits.h), there is a single heap. Existing heaps stay. The function affects the
/// whole process and may be called several times.
void tune_heap(std::size_t threads);

/// Returns free memory of the heap to the kernel, so resident memory is memory in use. Takes milliseconds.
void return_freed_memory();

}  // namespace headroom::memory
