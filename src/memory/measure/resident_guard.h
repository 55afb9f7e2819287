#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>

#include "memory/measure/allocation_meter.h"

namespace headroom::memory {

/// Keeps the resident memory of the process within a budget where it grows most: whenever a tensor is asked
/// for. What libraries, readers and caches take counts, since it is the resident memory that is looked at;
/// `reserve` is left for what they may take before the next look.
///
/// Looking costs two microseconds, so it is done only when as many bytes have been asked for as were left at
/// the last look: a process far from its budget does not look at all. Where the budget would be exceeded,
/// memory that is free but not given back goes first (`give_back`); then the meter's limit falls to what is
/// really left, and the request is refused.
///
/// Thread safety: every method may be called from any thread.
class ResidentGuard : public AllocationGuard {
 public:
  using Resident = std::function<std::uint64_t()>;

  /// `resident`: how resident memory is measured. The meter outlives the guard.
  ResidentGuard(AllocationMeter& meter, std::uint64_t budget, std::uint64_t reserve,
                std::function<void()> give_back, Resident resident);

  bool allows(std::uint64_t bytes) override;

  /// Looks now. Bytes that may still become resident.
  std::uint64_t look();
  /// From now on so much is left for others than tensors.
  void set_reserve(std::uint64_t bytes);

 private:
  std::uint64_t room() const;

  AllocationMeter& meter_;
  const std::uint64_t budget_;
  std::atomic<std::uint64_t> reserve_;
  const std::function<void()> give_back_;
  const Resident resident_;
  std::atomic<std::int64_t> left_{0};  ///< of what the last look found
  std::mutex looking_;
};

}  // namespace headroom::memory
