#pragma once

#include <cstdint>

namespace headroom::test {

/// Counts the heap memory (malloc and its users, including operator new) that this thread takes from the C
/// library during its lifetime, with the rounding of the heap. Link headroom_test_heap. Only one at a time in
/// a thread.
class HeapPeak {
 public:
  HeapPeak();
  ~HeapPeak();
  HeapPeak(const HeapPeak&) = delete;
  HeapPeak& operator=(const HeapPeak&) = delete;

  /// The most bytes held at once since the object was made.
  std::uint64_t bytes() const;
  /// The bytes held now.
  std::uint64_t held() const;

  /// False if another heap replaces the heap of the C library, as under a sanitizer.
  static bool can_be_measured();
};

}  // namespace headroom::test
