#include "base/memory/recover/recovery.h"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/session/log.h"
#include "base/core/text/bytes.h"

namespace molgauge::memory {
namespace {

/// Returns the first line of the message, because LibTorch appends its stack.
std::string text_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::bad_alloc&) {
    return "the machine has no memory left";
  } catch (const std::exception& error) {
    const std::string text = error.what();
    return text.substr(0, text.find('\n'));
  } catch (...) {
    return "unknown failure";
  }
}

}  // namespace

/// Counts a portion as running while the object exists.
class Recovery::InFlight {
 public:
  InFlight(Recovery& recovery, std::size_t units, bool alone)
      : recovery_(recovery), units_(units), alone_(alone) {
    std::unique_lock lock(recovery.mutex_);
    recovery.changed_.wait(lock, [&] { return !recovery.one_alone_; });
    if (alone) {
      recovery.one_alone_ = true;
      recovery.changed_.wait(lock, [&] { return recovery.in_flight_.empty(); });
    }
    if (recovery.in_flight_.empty() && recovery.allocator_.meter != nullptr) {
      recovery.base_ = recovery.allocator_.meter->allocated_bytes();
    }
    recovery.in_flight_.push_back(units);
  }
  ~InFlight() {
    const std::lock_guard lock(recovery_.mutex_);
    auto& portions = recovery_.in_flight_;
    portions.erase(std::find(portions.begin(), portions.end(), units_));
    recovery_.one_alone_ = recovery_.one_alone_ && !alone_;
    recovery_.changed_.notify_all();
  }
  InFlight(const InFlight&) = delete;
  InFlight& operator=(const InFlight&) = delete;

 private:
  Recovery& recovery_;
  std::size_t units_;
  bool alone_;
};

Recovery::Recovery(Workload workload, AllocatorAccess allocator)
    : workload_(std::move(workload)),
      allocator_(std::move(allocator)),
      size_(workload_.planned, workload_.smallest, workload_.projected_bytes) {}

std::size_t Recovery::at_once() const {
  const std::lock_guard lock(mutex_);
  return size_.now();
}

RecoveryCounts Recovery::counts() const {
  const std::lock_guard lock(mutex_);
  return {recoveries_, size_.planned(), size_.now()};
}

bool Recovery::attempt(std::size_t units, Divisible divisible, const std::function<void()>& work) {
  std::optional<Failure> failure;
  {
    const InFlight portion(*this, units, /*alone=*/false);
    failure = try_once(work);
  }
  if (!failure) {
    const std::lock_guard lock(mutex_);
    size_.succeeded(units);
    return true;
  }
  const bool can_shrink = divisible == Divisible::yes && units > workload_.smallest;
  note(*failure, units, can_shrink);
  if (can_shrink) {
    return false;
  }
  finish_alone(units, fmt::format("{} of {} {}", workload_.name, units, workload_.unit), work);
  return true;
}

void Recovery::retry_until_fits(const char* what, const std::function<void()>& work) {
  if (const auto failure = try_once(work)) {
    log_warning("{}: out of memory ({}). Trying again", what, failure->text);
    {
      const std::lock_guard lock(mutex_);
      ++recoveries_;
    }
    finish_alone(workload_.smallest, what, work);
  }
}

std::optional<Recovery::Failure> Recovery::try_once(const std::function<void()>& work) {
  const std::uint64_t refusals = allocator_.meter == nullptr ? 0 : allocator_.meter->refusals();
  try {
    work();
    return std::nullopt;
  } catch (...) {
    const std::exception_ptr failure = std::current_exception();
    if (!allocator_.is_out_of_memory(failure)) {
      throw;
    }
    const std::lock_guard lock(mutex_);
    return Failure{text_of(failure), shortage(refusals)};
  }
}

/// The caller must hold the lock. The failed portion must still be in in_flight_.
Shortage Recovery::shortage(std::uint64_t refusals_before) const {
  Shortage seen;
  seen.portions = std::max<std::size_t>(1, in_flight_.size());
  for (const std::size_t units : in_flight_) {
    seen.projected += size_.projected_bytes(units);
  }
  const AllocationMeter* const meter = allocator_.meter;
  if (meter == nullptr || meter->refusals() == refusals_before) {
    return seen;  // without a refusal by the meter, the figures are unknown
  }
  const AllocationMeter::Refusal refusal = meter->last_refusal();
  const std::uint64_t held = refusal.allocated - std::min(refusal.allocated, base_);
  seen.needed = held + refusal.bytes;
  const std::uint64_t limit = meter->limit();
  const std::uint64_t room = limit - std::min(limit, base_);
  // If the limit was not reached, the machine refused the memory. Then it is only known that the allocated
  // bytes were available.
  seen.room = seen.needed > room ? std::max<std::uint64_t>(1, room) : held > seen.needed / 2 ? held : 0;
  return seen;
}

void Recovery::note(const Failure& failure, std::size_t units, bool shrink) {
  if (allocator_.release_cached) {
    allocator_.release_cached();
  }
  const std::lock_guard lock(mutex_);
  ++recoveries_;
  if (shrink) {
    size_.shrink(units, failure.shortage);
  }
  log_warning("{}: out of memory with {} {} at a time ({}). Continuing with {}", workload_.name, units,
              workload_.unit, failure.text, shrink ? fmt::format("{}", size_.now()) : "the same, alone");
}

void Recovery::finish_alone(std::size_t units, const std::string& what, const std::function<void()>& work) {
  if (allocator_.release_cached) {
    allocator_.release_cached();
  }
  const InFlight portion(*this, units, /*alone=*/true);
  const auto failure = try_once(work);
  if (!failure) {
    return;
  }
  std::string text = fmt::format("{} does not fit in memory, even alone: {}", what, failure->text);
  if (failure->shortage.needed > 0) {
    text += fmt::format(". It needs at least {} in addition to the {} in use",
                        format_bytes(failure->shortage.needed), format_bytes(base_));
  }
  // The largest contributor is known only for the workload, not for other work such as writing its results.
  if (workload_.largest_contributor && what.starts_with(workload_.name)) {
    text += ". Most of it: " + workload_.largest_contributor(units);
  }
  throw Error(text + ". Allow more with --memory-budget", ExitCode::over_budget);
}

}  // namespace molgauge::memory
