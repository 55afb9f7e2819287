#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

/// Limits that the system sets for this process apart from existing memory (setrlimit(2): ulimit -v, -d, -u;
/// control groups' pids.max).
namespace headroom {

/// Bytes that can still be mapped before `ulimit -v` (the address space) or `ulimit -d` (the data segment)
/// refuses, whichever comes first; none where neither is set. Throws Error where /proc is not mounted.
std::optional<std::uint64_t> address_space_left();

/// Makes the C library serve all threads from one heap, where it has a choice. By default it maps 128 MiB
/// for a heap of each thread, and where that is refused it tries again at every allocation. Call it
/// before threads are started; existing heaps stay.
void memory_from_one_heap();

/// How many of `wanted` threads can be started side by side now: they are started, and end at once. This
/// finds any limit, and leaves no thread behind. May be called from any thread.
std::size_t startable_threads(std::size_t wanted);

/// Throws Error with exit code 4, naming the limits to raise, unless this many threads can be started.
void require_threads(std::size_t wanted);

}  // namespace headroom
