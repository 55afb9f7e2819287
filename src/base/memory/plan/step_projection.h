#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/memory/measure/allocation_meter.h"
#include "base/memory/plan/cost.h"
#include "base/memory/plan/cost_formula.h"
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

/// The result of a probe of a step.
struct ProbedStep {
  Cost cost;
  std::uint64_t resident_bytes = 0;  ///< live bytes when the step began
  std::uint64_t peak_bytes = 0;      ///< peak, including resident bytes
  double seconds = 0;
  std::vector<TapeEvent> events;
};

/// The peak memory of a step as a function of the cost of its batch. It is the maximum over several moments,
/// and the memory at each moment is a sum of linear formulas.
///
/// If a program does the same for every batch, the tapes of two probes differ only in sizes. A formula of one
/// to three terms then explains the size of each tensor, for example tokens x 1,344 bytes. For each
/// allocation, the formulas of all live tensors are added. The peak of a batch is the largest of these sums.
/// This is exact for all batches, even if they are much larger than the probes.
class StepProjection {
 public:
  /// Makes a projection from the tapes of 3 or more different batches. Returns nothing if their events do not
  /// match.
  static std::optional<StepProjection> from_tapes(std::span<const ProbedStep> probes);
  /// Makes a projection with a single formula for the peaks. It is at least as high as each measured peak.
  static StepProjection from_peaks(std::span<const ProbedStep> probes);

  /// Peak bytes, including resident bytes.
  std::uint64_t peak_bytes(const Cost& cost) const;
  /// The bytes at the peak by contributor. Resident bytes count as `kept`.
  std::array<std::uint64_t, kContributors> held_bytes(const Cost& cost) const;
  /// Raises the resident bytes if more memory is live at the beginning of a step than a probe found.
  void raise_resident_to(std::uint64_t bytes) { resident_bytes_ = std::max(resident_bytes_, bytes); }
  std::uint64_t resident_bytes() const { return resident_bytes_; }

  /// Whether formulas explain the size of every tensor. The projection is then valid for all batches.
  bool is_exact() const { return is_exact_; }

  /// Corrects a projection that was too low for a batch of this cost. Scales all bytes except resident bytes.
  void raise_to(const Cost& cost, std::uint64_t peak_bytes);

 private:
  struct Moment {
    CostFormula total;
    std::array<CostFormula, kContributors> by;
  };
  const Moment& highest(const Cost& cost) const;
  void drop_dominated();

  std::vector<Moment> moments_;
  std::uint64_t resident_bytes_ = 0;
  bool is_exact_ = false;
  double raise_ = 1;
};

}  // namespace molgauge::memory
