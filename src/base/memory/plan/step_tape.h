#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "base/memory/measure/allocation_meter.h"
#include "base/memory/plan/step_model.h"

namespace molgauge::memory {

/// An allocation or free within a step.
struct TapeEvent {
  static constexpr std::size_t kResident = static_cast<std::size_t>(-1);

  bool is_free = false;
  /// The number of the allocation within the step. kResident if the event frees memory from before the step.
  std::size_t allocation = 0;
  std::uint64_t bytes = 0;
  AllocationTag contributor = AllocationTag::activations;  ///< contributor of the allocated or freed memory
};

/// Records the allocations and frees of a step in order, and passes them on to the previous observer.
///
/// Thread safety: any thread may allocate. Only the thread that runs the step may call allocating().
class StepTape final : public AllocationObserver, public AllocationTagger {
 public:
  /// Observes the meter during the lifetime of the object.
  explicit StepTape(AllocationMeter& meter) : meter_(meter), before_(meter.observe(this)) {}
  ~StepTape() override { meter_.observe(before_); }
  StepTape(const StepTape&) = delete;
  StepTape& operator=(const StepTape&) = delete;

  void allocated(std::uintptr_t address, std::uint64_t bytes) override;
  void freed(std::uintptr_t address, std::uint64_t bytes) override;
  void refused(std::uint64_t bytes) override;
  void allocating(AllocationTag contributor) override;

  std::vector<TapeEvent> take_events() { return std::move(events_); }

 private:
  AllocationMeter& meter_;
  AllocationObserver* before_;
  std::mutex mutex_;
  AllocationTag contributor_ = AllocationTag::activations;
  std::vector<TapeEvent> events_;
  struct Living {
    std::size_t allocation;
    AllocationTag contributor;
  };
  std::unordered_map<std::uintptr_t, Living> living_;
  std::size_t allocations_ = 0;
};

}  // namespace molgauge::memory
