#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/device.h"
#include "headroom/types.h"
#include "memory/allocator/recordings/allocation_trace.h"
#include "memory/measure/allocation_meter.h"
#include "memory/measure/phase.h"
#include "memory/measure/resident_guard.h"
#include "memory/plan/available_memory.h"
#include "memory/plan/run_cost.h"
#include "runtime/gpu_memory.h"
#include "runtime/run_status.h"

namespace headroom::session {

/// The requested number of threads, or the number of processors. Throws UsageError above kMaxThreads.
std::size_t threads_of(const ComputeOptions& compute);

/// The peak memory of some work, in addition to the memory that is in use before it.
struct MemoryRequirement {
  std::string what;                ///< "training an energy head"
  std::uint64_t host_bytes = 0;    ///< without a device, tensors included
  std::uint64_t device_bytes = 0;  ///< bytes of the GPU
  /// For work whose parts may fail one by one: bytes that suffice for the largest part. Without them the
  /// other parts are done all the same, but the bytes count in the smallest budget that is named.
  std::uint64_t host_bytes_for_all = 0;
};

/// While an object of this class lives, the planner controls CPU tensors: it keeps to the budget by itself,
/// and its probes are not traced. No other thread makes tensors meanwhile.
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

/// The memory of one call: for as long as an object of this class lives, its budgets are enforced, its phases
/// are measured, and its allocations are traced if requested.
///
/// On a CPU the budget limits the resident memory of the process, including libraries. On a GPU it limits the
/// reserved memory of the device, with a second budget for the process. From the first require() on, tensors
/// that do not fit are refused. The weights of the encoder are loaded before it, because the sufficient
/// budget depends on them. Make one object at a time, before anything large is loaded, and in the thread that
/// begins phases.
class BudgetScope : public memory::PhaseObserver {
 public:
  /// Which threads the work will start, whose stacks are made sure of beforehand.
  enum class Threads { workers_and_helpers, none };

  /// Throws UsageError on budgets that cannot be read, on a host budget or allocator settings without a GPU,
  /// on settings that LibTorch does not know, and on a trace that cannot be made.
  BudgetScope(const ComputeOptions& compute, Device device, Threads threads = Threads::workers_and_helpers);
  ~BudgetScope() override;
  BudgetScope(const BudgetScope&) = delete;
  BudgetScope& operator=(const BudgetScope&) = delete;

  memory::PhaseRecorder& phases() { return phases_; }

  bool on_device() const { return device_.is_gpu(); }
  /// Bytes of the device, or of the process on a CPU.
  std::uint64_t budget() const { return budget_; }
  /// The budget of the process if a device is used. 0 on a CPU, because budget() has it there.
  std::uint64_t host_budget() const { return on_device() ? process_budget_ : 0; }

  /// Returns the memory that may still be allocated. First releases cached free memory.
  memory::AvailableMemory room();
  /// From now on room() gives memory back only where less than 256 MiB are left without it: for calls so
  /// short that giving it back, and taking it again, would cost more than their work.
  void keep_freed_memory() { keeps_freed_memory_ = true; }

  /// The phase's projected peak if this many bytes more are taken than now: of the process on a CPU, of the
  /// device on a GPU.
  std::uint64_t projected_peak(std::uint64_t host_bytes, std::uint64_t device_bytes) const;

  /// Announces later work of this command with its peak bytes, in addition to the present bytes. If it will
  /// not fit, the first require() refuses the command before any work is done, and names the smallest budget
  /// of the whole command.
  void declare_requirement(MemoryRequirement need);

  /// Announces the bytes that the feature store takes while it is open. For plans of commands: a command
  /// opens the store before it asks for memory, and a plan does not open it. smallest_budget() includes the
  /// bytes.
  void declare_store(std::uint64_t bytes) { store_bytes_ = bytes; }

  /// Throws Error with exit code 4 unless the work, and all announced work, fits in addition to the memory in
  /// use. The message names the largest need and the smallest sufficient budget. From now on the budget is
  /// enforced.
  void require(const MemoryRequirement& need);

  /// The smallest budget for all announced work: of the process on a CPU, of the device on a GPU.
  std::uint64_t smallest_budget() const;

  /// For recovery of work on the device.
  memory::AllocatorAccess allocator_access() const;

  /// Device, budgets and phases so far, for the files of a run.
  memory::RunCost cost() const;

  /// From now on keeps the status that `headroom memory watch` reads up to date in this folder.
  void keep_status(const std::filesystem::path& run);
  /// "2 x 2048 atoms": for the status.
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
  std::uint64_t peak_between_phases_ = 0;                     ///< of the process, during loading
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

}  // namespace headroom::session
