#include "support/heap_peak.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

#include <malloc.h>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define MOLGAUGE_COUNTS_THE_HEAP 1
#endif

namespace {

struct Count {
  bool counting;
  std::int64_t held, peak;
};
thread_local Count count = {false, 0, 0};

}  // namespace

#ifdef MOLGAUGE_COUNTS_THE_HEAP

extern "C" {

// The allocation functions of the C library. It exports them under these names for programs that replace
// malloc().
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t number, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
void __libc_free(void* memory);
}

namespace {

void* taken(void* memory) {
  if (count.counting && memory != nullptr) {
    count.held += static_cast<std::int64_t>(malloc_usable_size(memory) + sizeof(std::size_t));
    count.peak = std::max(count.peak, count.held);
  }
  return memory;
}

void gives_back(void* memory) {
  if (count.counting && memory != nullptr) {
    count.held -= static_cast<std::int64_t>(malloc_usable_size(memory) + sizeof(std::size_t));
  }
}

}  // namespace

extern "C" {

void* malloc(std::size_t bytes) { return taken(__libc_malloc(bytes)); }
void* calloc(std::size_t number, std::size_t bytes) { return taken(__libc_calloc(number, bytes)); }
void* realloc(void* memory, std::size_t bytes) {
  gives_back(memory);
  return taken(__libc_realloc(memory, bytes));
}
void* memalign(std::size_t alignment, std::size_t bytes) { return taken(__libc_memalign(alignment, bytes)); }
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return taken(__libc_memalign(alignment, bytes));
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
  void* const made = taken(__libc_memalign(alignment, bytes));
  if (made == nullptr) {
    return ENOMEM;
  }
  *memory = made;
  return 0;
}
void free(void* memory) {
  gives_back(memory);
  __libc_free(memory);
}
}
#endif

namespace molgauge::test {

HeapPeak::HeapPeak() { count = {true, 0, 0}; }
HeapPeak::~HeapPeak() { count.counting = false; }
std::uint64_t HeapPeak::bytes() const { return static_cast<std::uint64_t>(count.peak); }
std::uint64_t HeapPeak::held() const {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(count.held, 0));
}

bool HeapPeak::can_be_measured() {
#ifdef MOLGAUGE_COUNTS_THE_HEAP
  return true;
#else
  return false;
#endif
}

}  // namespace molgauge::test
