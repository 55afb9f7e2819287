#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

/// Limits of the system for this process, in addition to the physical memory. They are set with setrlimit(2)
/// (ulimit -v, -d and -u) and with pids.max of a control group.
namespace molgauge {

/// Returns the bytes that the process can still map within `ulimit -v` (address space) and `ulimit -d` (data
/// segment), or nothing if no limit is set. Throws Error if /proc is not mounted.
std::optional<std::uint64_t> address_space_left();

/// Makes the C library use one heap for all threads, if it supports this. By default it maps 128 MiB for the
/// heap of each thread. If that fails, it tries again at every allocation. Call it before threads are
/// started. Existing heaps stay.
void memory_from_one_heap();

/// Returns how many of `wanted` threads can run at the same time now. It starts the threads, and they end at
/// once. This test detects any limit of the system. May be called from any thread.
std::size_t startable_threads(std::size_t wanted);

/// Throws Error with exit code 4, naming the limits to raise, unless this many threads can be started.
void require_threads(std::size_t wanted);

}  // namespace molgauge
