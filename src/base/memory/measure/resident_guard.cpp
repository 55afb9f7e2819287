#include "base/memory/measure/resident_guard.h"

#include <utility>

namespace molgauge::memory {

ResidentGuard::ResidentGuard(AllocationMeter& meter, std::uint64_t budget, std::uint64_t reserve,
                             std::function<void()> give_back, Resident resident)
    : meter_(meter),
      budget_(budget),
      reserve_(reserve),
      give_back_(std::move(give_back)),
      resident_(std::move(resident)) {
  look();
}

bool ResidentGuard::allows(std::uint64_t bytes) {
  const auto wanted = static_cast<std::int64_t>(bytes);
  if (left_.fetch_sub(wanted, std::memory_order_relaxed) >= wanted) {
    return true;
  }
  const std::lock_guard lock(looking_);
  std::uint64_t left = room();
  if (left < bytes) {
    give_back_();
    left = room();
  }
  if (left >= bytes) {
    left_.store(static_cast<std::int64_t>(left - bytes), std::memory_order_relaxed);
    return true;
  }
  left_.store(static_cast<std::int64_t>(left), std::memory_order_relaxed);
  // The count of the meter already includes the requested memory.
  meter_.set_limit(meter_.allocated_bytes() - bytes + left);
  return false;
}

std::uint64_t ResidentGuard::look() {
  const std::lock_guard lock(looking_);
  const std::uint64_t left = room();
  left_.store(static_cast<std::int64_t>(left), std::memory_order_relaxed);
  return left;
}

void ResidentGuard::set_reserve(std::uint64_t bytes) {
  reserve_ = bytes;
  look();
}

std::uint64_t ResidentGuard::room() const {
  const std::uint64_t taken = resident_() + reserve_;
  return taken < budget_ ? budget_ - taken : 0;
}

}  // namespace molgauge::memory
