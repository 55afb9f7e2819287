#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/memory/measure/allocator_access.h"
#include "base/memory/recover/portion_size.h"

namespace molgauge::memory {

/// Work that is done in portions. The memory depends on the size of a portion.
struct Workload {
  std::string name;          ///< "encoding"
  std::string unit;          ///< "atoms"
  std::size_t planned = 1;   ///< planned number of units to process at once
  std::size_t smallest = 1;  ///< smallest number of units in a portion
  ProjectedBytes projected_bytes = {};
  /// Names the largest part of the memory of a portion, for the error message if the portion does not fit.
  /// The function may be empty.
  std::function<std::string(std::size_t units)> largest_contributor = {};
};

/// Figures for a report.
struct RecoveryCounts {
  std::size_t recoveries = 0;  ///< portions that ran out of memory and were still finished
  std::size_t planned = 0;     ///< planned number of units to process at once
  std::size_t used = 0;        ///< number of units to process at once when the work ended
};

/// Finishes work after out-of-memory errors. The failed portion is abandoned completely. Its exception is
/// destroyed, because it may own tensors. Then the cache of the allocator is released, the portion size is
/// reduced, and the portion is repeated.
///
/// Thread safety: every method may be called from any thread. Parallel workers share one object, which
/// considers the memory of all workers. If a portion that cannot be reduced fails, it is repeated once while
/// no other portion runs.
class Recovery {
 public:
  Recovery(Workload workload, AllocatorAccess allocator);
  Recovery(const Recovery&) = delete;
  Recovery& operator=(const Recovery&) = delete;

  /// The number of units to process at once.
  std::size_t at_once() const;

  enum class Divisible { yes, no };
  /// Runs `work` on a portion of `units`. Returns false if memory ran out. The portion then has no effect,
  /// and at_once() is smaller than `units`. If the portion is indivisible or has the smallest size, it is
  /// always finished when this returns. If such a portion does not fit even when it runs alone, throws Error
  /// with ExitCode::over_budget that names the largest contributor. Throws other exceptions of `work`.
  [[nodiscard]] bool attempt(std::size_t units, Divisible divisible, const std::function<void()>& work);

  /// Runs work that cannot be reduced. If memory runs out, repeats the work once while no portion runs.
  /// `what`: a name for messages, such as "writing the store".
  void retry_until_fits(const char* what, const std::function<void()>& work);

  RecoveryCounts counts() const;

 private:
  class InFlight;
  struct Failure {
    std::string text;  ///< text of the exception
    Shortage shortage;
  };
  /// Returns nothing if the work is done.
  std::optional<Failure> try_once(const std::function<void()>& work);
  Shortage shortage(std::uint64_t refusals_before) const;
  void note(const Failure& failure, std::size_t units, bool shrink);
  void finish_alone(std::size_t units, const std::string& what, const std::function<void()>& work);

  const Workload workload_;
  const AllocatorAccess allocator_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  PortionSize size_;
  std::vector<std::size_t> in_flight_;  ///< units of each running portion
  std::uint64_t base_ = 0;              ///< allocated bytes before the first running portion began
  bool one_alone_ = false;
  std::size_t recoveries_ = 0;
};

}  // namespace molgauge::memory
