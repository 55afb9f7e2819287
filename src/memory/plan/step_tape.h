#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "memory/measure/allocation_meter.h"
#include "memory/plan/step_model.h"

namespace headroom::memory {

/// One allocation or free of a step.
struct TapeEvent {
  static constexpr std::size_t kResident = static_cast<std::size_t>(-1);

  bool is_free = false;
  std::size_t allocation = 0;  ///< number of it within the step; kResident: a free of what lived before
  std::uint64_t bytes = 0;
  Contributor contributor = Contributor::activations;  ///< of what is allocated, or freed
};

/// Takes down what a step allocates and frees, in order, and passes it on to the observer before it.
///
/// Thread safety: any thread may allocate; who runs the step marks it.
class StepTape final : public AllocationObserver, public StepMarks {
 public:
  /// Listens to the meter for as long as it lives.
  explicit StepTape(AllocationMeter& meter) : meter_(meter), before_(meter.observe(this)) {}
  ~StepTape() override { meter_.observe(before_); }
  StepTape(const StepTape&) = delete;
  StepTape& operator=(const StepTape&) = delete;

  void allocated(std::uintptr_t address, std::uint64_t bytes) override;
  void freed(std::uintptr_t address, std::uint64_t bytes) override;
  void refused(std::uint64_t bytes) override;
  void allocating(Contributor contributor) override;

  std::vector<TapeEvent> take_events() { return std::move(events_); }

 private:
  AllocationMeter& meter_;
  AllocationObserver* before_;
  std::mutex mutex_;
  Contributor contributor_ = Contributor::activations;
  std::vector<TapeEvent> events_;
  struct Living {
    std::size_t allocation;
    Contributor contributor;
  };
  std::unordered_map<std::uintptr_t, Living> living_;
  std::size_t allocations_ = 0;
};

}  // namespace headroom::memory
