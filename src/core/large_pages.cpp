#include "core/large_pages.h"

#include <memory>

#include <sys/mman.h>

namespace headroom {

void prefer_large_pages(std::span<std::byte> memory) {
  constexpr std::size_t kLargePage = std::size_t{2} << 20;
  void* first = memory.data();
  std::size_t left = memory.size();
  if (std::align(kLargePage, kLargePage, first, left) != nullptr) {
    madvise(first, left / kLargePage * kLargePage, MADV_HUGEPAGE);
  }
}

}  // namespace headroom
