#pragma once

#include <cstdint>

namespace headroom::test {

/// While an object exists, allocations of this thread (operator new) are counted and can be refused.
class RefusableAllocations {
 public:
  RefusableAllocations();
  ~RefusableAllocations();
  RefusableAllocations(const RefusableAllocations&) = delete;
  RefusableAllocations& operator=(const RefusableAllocations&) = delete;
};

/// Allocations of all threads so far.
std::uint64_t refusable_allocations();
/// The nth allocation from now on throws std::bad_alloc, once. 0: none.
void refuse_host_allocation(std::uint64_t nth);

}  // namespace headroom::test
