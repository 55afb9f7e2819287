#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>

#include "base/memory/measure/allocation_meter.h"

namespace molgauge::memory {

/// Keeps the resident memory of the process within a budget. The guard checks requests for tensors, because
/// tensors cause most of the growth. It reads the resident memory, so libraries, readers and caches count as
/// well. `reserve`: bytes for the growth of other memory until the next reading.
///
/// A reading takes two microseconds. The next reading happens only after the bytes that were left at the last
/// reading have been requested. A process far below its budget therefore needs no readings. If a request
/// would exceed the budget, the guard first returns free memory to the kernel (`give_back`). If this is not
/// enough, it lowers the limit of the meter to the bytes that are left and refuses the request.
///
/// Thread safety: every method may be called from any thread.
class ResidentGuard : public AllocationGuard {
 public:
  using Resident = std::function<std::uint64_t()>;

  /// `resident`: measures the resident memory. The meter must outlive the guard.
  ResidentGuard(AllocationMeter& meter, std::uint64_t budget, std::uint64_t reserve,
                std::function<void()> give_back, Resident resident);

  bool allows(std::uint64_t bytes) override;

  /// Reads the resident memory. Returns the bytes that may still become resident.
  std::uint64_t look();
  /// Sets the bytes that are reserved for memory other than tensors.
  void set_reserve(std::uint64_t bytes);

 private:
  std::uint64_t room() const;

  AllocationMeter& meter_;
  const std::uint64_t budget_;
  std::atomic<std::uint64_t> reserve_;
  const std::function<void()> give_back_;
  const Resident resident_;
  std::atomic<std::int64_t> left_{0};  ///< bytes left at the last reading
  std::mutex looking_;
};

}  // namespace molgauge::memory
