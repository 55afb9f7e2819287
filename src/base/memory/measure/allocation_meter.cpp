#include "base/memory/measure/allocation_meter.h"

namespace molgauge::memory {

bool AllocationMeter::admit(std::uint64_t bytes) {
  allocations_.fetch_add(1, std::memory_order_relaxed);
  const std::uint64_t now = allocated_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  if (!fits(bytes, now) || is_turn_to_fail()) {
    allocated_.fetch_sub(bytes, std::memory_order_relaxed);
    note_refusal(bytes, now - bytes);
    return false;
  }
  raise_peak(now);
  return true;
}

void AllocationMeter::raise_peak(std::uint64_t allocated) {
  std::uint64_t highest = peak_.load(std::memory_order_relaxed);
  while (allocated > highest && !peak_.compare_exchange_weak(highest, allocated, std::memory_order_relaxed)) {
  }
}

void AllocationMeter::note_refusal(std::uint64_t bytes, std::uint64_t allocated) {
  refused_bytes_ = bytes;
  allocated_at_refusal_ = allocated;
  refusals_.fetch_add(1, std::memory_order_relaxed);
  if (AllocationObserver* observer = observer_.load(std::memory_order_acquire)) {
    observer->refused(bytes);
  }
}

void AllocationMeter::count(std::uintptr_t address, std::uint64_t bytes) {
  allocations_.fetch_add(1, std::memory_order_relaxed);
  raise_peak(allocated_.fetch_add(bytes, std::memory_order_relaxed) + bytes);
  placed(address, bytes);
}

void AllocationMeter::count_refusal(std::uint64_t bytes) {
  allocations_.fetch_add(1, std::memory_order_relaxed);
  note_refusal(bytes, allocated_bytes());
}

void AllocationMeter::placed(std::uintptr_t address, std::uint64_t bytes) {
  if (AllocationObserver* observer = observer_.load(std::memory_order_acquire)) {
    observer->allocated(address, bytes);
  }
}

void AllocationMeter::freed(std::uintptr_t address, std::uint64_t bytes) {
  if (AllocationObserver* observer = observer_.load(std::memory_order_acquire)) {
    observer->freed(address, bytes);
  }
  allocated_.fetch_sub(bytes, std::memory_order_relaxed);
}

void AllocationMeter::withdraw(std::uint64_t bytes) {
  allocated_.fetch_sub(bytes, std::memory_order_relaxed);
}

void AllocationMeter::reset_peak() { peak_ = allocated_.load(std::memory_order_relaxed); }

bool AllocationMeter::fits(std::uint64_t bytes, std::uint64_t allocated) {
  if (allocated > limit_.load(std::memory_order_relaxed)) {
    return false;
  }
  AllocationGuard* const guard = guard_.load(std::memory_order_acquire);
  return guard == nullptr || guard->allows(bytes);
}

bool AllocationMeter::is_turn_to_fail() {
  std::uint64_t left = countdown_.load(std::memory_order_relaxed);
  while (left != kNever) {
    if (countdown_.compare_exchange_weak(left, left - 1, std::memory_order_relaxed)) {
      return left == 1;
    }
  }
  return false;
}

}  // namespace molgauge::memory
