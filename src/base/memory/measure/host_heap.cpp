#include "base/memory/measure/host_heap.h"

#include <algorithm>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "base/core/session/process_limits.h"

namespace molgauge::memory {

#if defined(__GLIBC__)
namespace {

constexpr int kMebibyte = 1 << 20;
constexpr int kMappedFrom = 16 * kMebibyte;
constexpr int kKeptAtTheTop = 64 * kMebibyte;
constexpr std::size_t kThreadsPerHeap = 4;

}  // namespace

void tune_heap(std::size_t threads) {
  mallopt(M_MMAP_THRESHOLD, kMappedFrom);
  mallopt(M_TRIM_THRESHOLD, kKeptAtTheTop);
  if (address_space_left()) {
    memory_from_one_heap();
  } else {
    mallopt(M_ARENA_MAX, static_cast<int>(std::max<std::size_t>(1, threads / kThreadsPerHeap)));
  }
}

void return_freed_memory() { malloc_trim(0); }
#else
// Other C libraries have no such settings or do not need them.
void tune_heap(std::size_t /*threads*/) {}
void return_freed_memory() {}
#endif

}  // namespace molgauge::memory
