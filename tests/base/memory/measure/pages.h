#pragma once

#include <cstddef>

#include <sys/mman.h>
#include <unistd.h>

namespace molgauge::test {

/// Memory directly from the kernel. The constructor touches every page, and the destructor returns the
/// memory. Caches of an allocator therefore do not affect the figures.
class Pages {
 public:
  explicit Pages(std::size_t bytes)
      : bytes_(bytes),
        start_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    for (std::size_t offset = 0; offset < bytes_; offset += page) {
      static_cast<volatile char*>(start_)[offset] = 1;
    }
  }
  ~Pages() { munmap(start_, bytes_); }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

 private:
  std::size_t bytes_;
  void* start_;
};

inline constexpr std::size_t kMebibyte = std::size_t{1} << 20;

}  // namespace molgauge::test
