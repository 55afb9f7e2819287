#pragma once

#include <cstddef>

namespace headroom::memory {

/// Sets the C library's heap up for tensors: sizes up to 16 MiB come from the heap and stay there to be used
/// again (given back to the kernel and fetched anew for every tensor they cost a sixth of the time of an
/// encode), larger ones are mapped and go back at once. `threads` allocate side by side: they share one heap
/// for every four of them, so that what one has freed serves the others; a single one where the address space
/// is limited (core/process_limits.h). Heaps that are there already stay.
/// For the whole process; more than once is harmless.
void tune_heap(std::size_t threads);

/// Gives what is free in the heap back to the kernel: resident memory is then what is in use. Takes
/// milliseconds.
void return_freed_memory();

}  // namespace headroom::memory
