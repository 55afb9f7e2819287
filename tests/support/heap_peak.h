#pragma once

#include <cstdint>

namespace molgauge::test {

/// Counts the heap memory that this thread takes from the C library while the object exists. Includes
/// operator new and the rounding of the heap. Link molgauge_test_heap. A thread may have only one object at a
/// time.
class HeapPeak {
 public:
  HeapPeak();
  ~HeapPeak();
  HeapPeak(const HeapPeak&) = delete;
  HeapPeak& operator=(const HeapPeak&) = delete;

  /// The peak of the allocated bytes since the object was created.
  std::uint64_t bytes() const;
  /// The bytes that are allocated now.
  std::uint64_t held() const;

  /// False if another heap replaces the heap of the C library, as under a sanitizer.
  static bool can_be_measured();
};

}  // namespace molgauge::test
