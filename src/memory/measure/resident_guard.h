#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>

#include "memory/measure/allocation_meter.h"

namespace headroom::memory {

/// Keeps the resident memory of the process within a budget where it grows most: at every request for a
/// tensor. The memory of libraries, readers and caches counts, because the guard reads the resident memory;
/// `reserve` is left for their growth before the next reading.
///
/// A reading costs two microseconds, so it is done only when as many bytes have been requested as were left
/// at the last one: a process far from its budget reads nothing. If a request would exceed the budget,
/// retained free memory is first returned (`give_back`). Then the limit of the meter falls to the bytes that
/// are really left, and the request is refused.
///
/// Thread safety: every method may be called from any thread.
class ResidentGuard : public AllocationGuard {
 public:
  using Resident = std::function<std::uint64_t()>;

  /// `resident`: how resident memory is measured. The meter outlives the guard.
  ResidentGuard(AllocationMeter& meter, std::uint64_t budget, std::uint64_t reserve,
                std::function<void()> give_back, Resident resident);

  bool allows(std::uint64_t bytes) override;

  /// Reads the resident memory now. Returns the bytes that may still become resident.
  std::uint64_t look();
  /// Sets the bytes that are left for memory other than tensors.
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

}  // namespace headroom::memory
