#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

/// What the system lets this process have beside memory that exists (setrlimit(2): ulimit -v, -d, -u; control
/// groups' pids.max).
namespace headroom {

/// Bytes that can still be mapped before `ulimit -v` (the address space) or `ulimit -d` (the data segment)
/// refuses, whichever comes first; nothing where neither is set. Throws Error where /proc is not mounted.
std::optional<std::uint64_t> address_space_left();

/// Has the C library take all threads' memory from one heap, where it has a choice. By itself it maps 128 MiB
/// for a heap of each thread's own, and where that is refused tries again with every allocation. Call it
/// before threads are started; heaps that are there already stay.
void memory_from_one_heap();

/// How many of `wanted` threads can be started side by side now: they are started, and end at once. Whatever
/// limits them is seen, and nothing of it is left. From any thread.
std::size_t startable_threads(std::size_t wanted);

/// Throws Error with exit code 4 unless so many threads can be started, naming the limits to raise.
void require_threads(std::size_t wanted);

}  // namespace headroom
