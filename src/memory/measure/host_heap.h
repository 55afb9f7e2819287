#pragma once

#include <cstddef>

namespace headroom::memory {

/// Sets the C library's heap up for tensors. Sizes up to 16 MiB come from the heap and stay there for reuse
/// (giving them back to the kernel for every tensor would cost a sixth of the time of an encode); larger ones
/// are mapped and go back at once. `threads` allocate in parallel. Every four threads share one heap, to
/// reuse memory that another thread freed. There is a single heap if the address space is limited
/// (core/process_limits.h). Existing heaps stay. Affects the whole process; calling it more than once is
/// harmless.
void tune_heap(std::size_t threads);

/// Gives free memory of the heap back to the kernel, so that resident memory is memory in use. Takes
/// milliseconds.
void return_freed_memory();

}  // namespace headroom::memory
