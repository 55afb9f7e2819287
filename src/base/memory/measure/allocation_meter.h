#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

namespace molgauge::memory {

/// Receives every allocation that an AllocationMeter counts, for example to write a trace. Many threads call
/// it at once, each for its own allocation. It must not throw, and must not allocate memory that the meter
/// counts.
class AllocationObserver {
 public:
  virtual ~AllocationObserver() = default;
  virtual void allocated(std::uintptr_t address, std::uint64_t bytes) = 0;
  virtual void freed(std::uintptr_t address, std::uint64_t bytes) = 0;
  virtual void refused(std::uint64_t bytes) = 0;
};

/// Decides whether a request fits limits outside of the AllocationMeter, for example of resident memory. Many
/// threads call it at once, each for its own request, which is already counted. It must not allocate memory
/// that the meter counts.
class AllocationGuard {
 public:
  virtual ~AllocationGuard() = default;
  virtual bool allows(std::uint64_t bytes) = 0;
};

/// Counts the bytes that an allocator hands out, and decides which requests it must refuse. All sizes are
/// requested bytes. The meter itself allocates nothing.
///
/// Thread safety: every function may be called from any thread at any time, except observe() and guard().
/// These two functions may be called only while no thread allocates.
class AllocationMeter {
 public:
  static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
  static constexpr std::uint64_t kNever = 0;

  /// Requests permission to allocate. Returns false if the limit would be exceeded, or if a test selected
  /// this request to fail (refuse_from_now). A refused request is not counted.
  [[nodiscard]] bool admit(std::uint64_t bytes);
  /// Reports the address of permitted bytes.
  void placed(std::uintptr_t address, std::uint64_t bytes);
  /// Reports that the bytes at the address were freed.
  void freed(std::uintptr_t address, std::uint64_t bytes);
  /// Counts bytes that an allocator handed out without calling admit().
  void count(std::uintptr_t address, std::uint64_t bytes);
  /// Counts a refusal by an allocator that does not call admit().
  void count_refusal(std::uint64_t bytes);
  /// Withdraws a permission because the system had no memory.
  void withdraw(std::uint64_t bytes);

  std::uint64_t allocated_bytes() const { return allocated_.load(std::memory_order_relaxed); }
  /// The highest allocated_bytes() since the last reset_peak().
  std::uint64_t peak_bytes() const { return peak_.load(std::memory_order_relaxed); }
  /// Restarts the peak at the bytes that are allocated now.
  void reset_peak();
  std::uint64_t allocations() const { return allocations_.load(std::memory_order_relaxed); }
  std::uint64_t refusals() const { return refusals_.load(std::memory_order_relaxed); }

  struct Refusal {
    std::uint64_t bytes = 0;      ///< bytes of the request
    std::uint64_t allocated = 0;  ///< bytes that were allocated at that moment
  };
  /// All numbers are zero before the first refusal.
  Refusal last_refusal() const { return {refused_bytes_, allocated_at_refusal_}; }

  /// Sets the limit of allocated_bytes(). kNoLimit removes it.
  void set_limit(std::uint64_t bytes) { limit_ = bytes; }
  std::uint64_t limit() const { return limit_; }

  /// Refuses one allocation, to test recovery: the `nth` from now on, where 1 is the next allocation. kNever
  /// refuses none.
  void refuse_from_now(std::uint64_t nth) { countdown_ = nth; }

  /// Sets the observer of allocations. It must live until it is replaced. nullptr removes it. Returns the
  /// previous observer.
  AllocationObserver* observe(AllocationObserver* observer) { return observer_.exchange(observer); }
  /// Sets a guard, which can refuse requests within the limit. It must live until it is replaced. nullptr
  /// removes it.
  void guard(AllocationGuard* guard) { guard_ = guard; }

 private:
  void raise_peak(std::uint64_t allocated);
  void note_refusal(std::uint64_t bytes, std::uint64_t allocated);
  bool is_turn_to_fail();
  bool fits(std::uint64_t bytes, std::uint64_t allocated);

  std::atomic<std::uint64_t> allocated_{0}, peak_{0}, allocations_{0}, refusals_{0};
  std::atomic<std::uint64_t> refused_bytes_{0}, allocated_at_refusal_{0};
  std::atomic<std::uint64_t> limit_{kNoLimit};
  std::atomic<std::uint64_t> countdown_{kNever};
  std::atomic<AllocationObserver*> observer_{nullptr};
  std::atomic<AllocationGuard*> guard_{nullptr};
};

/// Limits a meter during the lifetime of the object.
class AllocationLimit {
 public:
  AllocationLimit(AllocationMeter& meter, std::uint64_t bytes) : meter_(meter), former_(meter.limit()) {
    meter_.set_limit(bytes);
  }
  ~AllocationLimit() { meter_.set_limit(former_); }
  AllocationLimit(const AllocationLimit&) = delete;
  AllocationLimit& operator=(const AllocationLimit&) = delete;

 private:
  AllocationMeter& meter_;
  std::uint64_t former_;
};

}  // namespace molgauge::memory
