#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/core/device.h"
#include "base/memory/measure/allocation_meter.h"
#include "base/memory/measure/phase.h"
#include "base/memory/measure/resident_guard.h"
#include "base/memory/plan/available_memory.h"
#include "base/memory/plan/run_cost.h"
#include "base/memory/trace/allocation_trace.h"
#include "base/runtime/gpu_memory.h"
#include "base/runtime/run_status.h"
#include "molgauge/types.h"

namespace molgauge::runtime {

/// Returns the requested number of threads, or the number of processors. Throws UsageError above kMaxThreads.
std::size_t threads_of(const ComputeOptions& compute);

/// The peak memory of some work, in addition to memory that was in use before.
struct MemoryRequirement {
  std::string what;                ///< for messages, for example "training an energy head"
  std::uint64_t host_bytes = 0;    ///< bytes of the process. On a CPU, includes tensors
  std::uint64_t device_bytes = 0;  ///< bytes of the GPU
  /// The bytes that the largest part needs, for work with parts that can fail separately. If these bytes are
  /// not available, the smaller parts of the work are still done. The recommended budget includes these
  /// bytes.
  std::uint64_t host_bytes_for_all = 0;
};

/// While an object of this class exists, CPU tensors are neither limited nor traced. The planner uses it for
/// its probes, and enforces the budget itself. No other thread may allocate tensors during this time.
class PlanningScope {
 public:
  PlanningScope();
  ~PlanningScope();
  PlanningScope(const PlanningScope&) = delete;
  PlanningScope& operator=(const PlanningScope&) = delete;

 private:
  memory::AllocationLimit no_limit_;
  memory::AllocationObserver* trace_;
};

/// The memory of one call. While an object of this class exists, its budgets are enforced, its phases are
/// measured and, if requested, its allocations are traced.
///
/// On a CPU the budget limits the resident memory of the process, including libraries. On a GPU it limits the
/// reserved memory of the device, and a second budget limits the process. From the first require() on,
/// tensors that do not fit are refused. The weights of the encoder are loaded before the first require(),
/// because the recommended budget depends on them. Create one object at a time, before anything large is
/// loaded, in the thread that begins phases.
class BudgetScope : public memory::PhaseObserver {
 public:
  /// The threads that the work will start. Memory for their stacks is checked in advance.
  enum class Threads { workers_and_helpers, none };

  /// Throws UsageError for invalid budgets, and for a host budget or allocator settings if no GPU is used.
  /// Also throws UsageError for allocator settings that LibTorch does not know, and for a trace that cannot
  /// be created.
  BudgetScope(const ComputeOptions& compute, Device device, Threads threads = Threads::workers_and_helpers);
  ~BudgetScope() override;
  BudgetScope(const BudgetScope&) = delete;
  BudgetScope& operator=(const BudgetScope&) = delete;

  memory::PhaseRecorder& phases() { return phases_; }

  bool on_device() const { return device_.is_gpu(); }
  /// The budget in bytes. On a GPU, it limits GPU memory. On a CPU, it limits the process.
  std::uint64_t budget() const { return budget_; }
  /// Returns the budget of the process if a GPU is used. Returns 0 on a CPU, where budget() already limits
  /// the process.
  std::uint64_t host_budget() const { return on_device() ? process_budget_ : 0; }

  /// Releases cached free memory, and then returns the memory that may still be allocated.
  memory::AvailableMemory room();
  /// From now on, room() keeps freed memory in the process while at least 256 MiB are available. Call this
  /// before short calls, in which returning and requesting memory would take longer than the work.
  void keep_freed_memory() { keeps_freed_memory_ = true; }

  /// Returns the projected peak of a phase that needs these bytes in addition to the current memory. On a
  /// CPU, it is the peak of the process. On a GPU, it is the peak of the device.
  std::uint64_t projected_peak(std::uint64_t host_bytes, std::uint64_t device_bytes) const;

  /// Declares work that this command will do later. `need`: the peak bytes of the work, in addition to the
  /// memory in use. If the work does not fit, the first require() refuses the command before any work is
  /// done. The message contains the smallest budget that is sufficient for the whole command.
  void declare_requirement(MemoryRequirement need);

  /// Declares the bytes that an open feature store takes. smallest_budget() includes these bytes. Only
  /// `molgauge memory plan` must call this, because it does not open the store. Other commands open the store
  /// before they call require().
  void declare_store(std::uint64_t bytes) { store_bytes_ = bytes; }

  /// Throws Error with exit code 4 unless this work and all declared work fit in addition to the memory in
  /// use. The message contains the largest requirement and the smallest sufficient budget. After this call,
  /// the budget is enforced.
  void require(const MemoryRequirement& need);

  /// Returns the smallest budget that is sufficient for all declared work. On a CPU, it is a budget of the
  /// process. On a GPU, it is a budget of the device.
  std::uint64_t smallest_budget() const;

  /// The allocator of the device, for the recovery from out-of-memory errors.
  memory::AllocatorAccess allocator_access() const;

  /// Returns the device, the budgets and the phases so far. They are written to the files of a run.
  memory::RunCost cost() const;

  /// From now on, updates the status in this folder for `molgauge memory watch`.
  void keep_status(const std::filesystem::path& run);
  /// Sets the batch in the status, for example "2 x 2048 atoms".
  void set_batch(std::string text);

  void began(std::string_view name) override;
  void ended() override;

 private:
  std::uint64_t device_reserved() const;
  std::uint64_t smallest_host_budget(std::uint64_t host_bytes) const;
  [[noreturn]] void refuse_host(const MemoryRequirement& need, std::uint64_t bytes_for_all) const;
  [[noreturn]] void refuse_device(const MemoryRequirement& need) const;
  void open_trace(const ComputeOptions& compute);

  const Device device_;
  const std::unique_ptr<GpuMemory> gpu_;  ///< null on a CPU
  std::uint64_t process_budget_ = 0, budget_ = 0;
  std::uint64_t peak_between_phases_ = 0;  ///< peak of the process outside of phases, for example while
                                           ///< weights are loaded
  const std::unique_ptr<memory::DeviceProbe> device_memory_;  ///< null on a CPU
  memory::PhaseRecorder phases_;
  std::unique_ptr<allocator::AllocationTrace> trace_;
  std::shared_ptr<void> device_trace_;
  std::optional<memory::ResidentGuard> guard_;
  std::vector<MemoryRequirement> declared_;
  std::uint64_t store_bytes_ = 0;
  bool keeps_freed_memory_ = false;
  std::uint64_t reserve_;  ///< host memory that is neither in tensors nor in a plan
  std::optional<RunStatus> status_;
};

}  // namespace molgauge::runtime
