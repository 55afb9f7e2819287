#include "host_allocations.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

thread_local int refusable_scopes = 0;
std::atomic<std::uint64_t> allocations{0}, countdown{0};

bool is_turn_to_fail() {
  if (refusable_scopes == 0) {
    return false;
  }
  ++allocations;
  std::uint64_t left = countdown;
  while (left != 0) {
    if (countdown.compare_exchange_weak(left, left - 1)) {
      return left == 1;
    }
  }
  return false;
}

}  // namespace

// The array operators of the standard library call these operators.
void* operator new(std::size_t bytes) {
  void* const memory = is_turn_to_fail() ? nullptr : std::malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  return memory;
}
// The version of the standard library would call the operator above. The version of a sanitizer does not.
void* operator new(std::size_t bytes, const std::nothrow_t& /*tag*/) noexcept {
  return is_turn_to_fail() ? nullptr : std::malloc(bytes == 0 ? 1 : bytes);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*bytes*/) noexcept { std::free(memory); }

namespace molgauge::test {

RefusableAllocations::RefusableAllocations() { ++refusable_scopes; }
RefusableAllocations::~RefusableAllocations() { --refusable_scopes; }
std::uint64_t refusable_allocations() { return allocations; }
void refuse_host_allocation(std::uint64_t nth) { countdown = nth; }

}  // namespace molgauge::test
