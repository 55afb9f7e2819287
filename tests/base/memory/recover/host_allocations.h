#pragma once

#include <cstdint>

namespace molgauge::test {

/// While an object exists, it counts the allocations (operator new) of the thread that made it. These
/// allocations can be refused.
class RefusableAllocations {
 public:
  RefusableAllocations();
  ~RefusableAllocations();
  RefusableAllocations(const RefusableAllocations&) = delete;
  RefusableAllocations& operator=(const RefusableAllocations&) = delete;
};

/// Allocations of all threads so far.
std::uint64_t refusable_allocations();
/// Makes the nth allocation from now on throw std::bad_alloc. All other allocations succeed. If nth is 0,
/// none fails.
void refuse_host_allocation(std::uint64_t nth);

}  // namespace molgauge::test
