#pragma once

#include <cstdint>

namespace headroom::test {

/// While it lives, what this thread takes from the C library's heap (malloc and everything that stands on it,
/// operator new among that) is counted, with the heap's own rounding. Link headroom_test_heap. One at a time
/// in a thread.
class HeapPeak {
 public:
  HeapPeak();
  ~HeapPeak();
  HeapPeak(const HeapPeak&) = delete;
  HeapPeak& operator=(const HeapPeak&) = delete;

  /// The most that was held at once since the object was made.
  std::uint64_t bytes() const;
  /// What is held now.
  std::uint64_t held() const;

  /// False where another heap stands in for the C library's, as under a sanitizer.
  static bool can_be_measured();
};

}  // namespace headroom::test
