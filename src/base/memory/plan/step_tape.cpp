#include "base/memory/plan/step_tape.h"

namespace molgauge::memory {

void StepTape::allocated(std::uintptr_t address, std::uint64_t bytes) {
  if (before_ != nullptr) {
    before_->allocated(address, bytes);
  }
  const std::lock_guard lock(mutex_);
  events_.push_back({false, allocations_, bytes, contributor_});
  living_[address] = {allocations_++, contributor_};
}

void StepTape::freed(std::uintptr_t address, std::uint64_t bytes) {
  if (before_ != nullptr) {
    before_->freed(address, bytes);
  }
  const std::lock_guard lock(mutex_);
  const auto living = living_.find(address);
  if (living == living_.end()) {
    events_.push_back({true, TapeEvent::kResident, bytes, AllocationTag::kept});
    return;
  }
  events_.push_back({true, living->second.allocation, bytes, living->second.contributor});
  living_.erase(living);
}

void StepTape::refused(std::uint64_t bytes) {
  if (before_ != nullptr) {
    before_->refused(bytes);
  }
}

void StepTape::allocating(AllocationTag contributor) {
  const std::lock_guard lock(mutex_);
  contributor_ = contributor;
}

}  // namespace molgauge::memory
