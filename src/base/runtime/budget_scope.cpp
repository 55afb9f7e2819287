#include "base/runtime/budget_scope.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/session/process_limits.h"
#include "base/core/text/bytes.h"
#include "base/core/threads/thread_count.h"
#include "base/core/threads/worker_group.h"
#include "base/memory/measure/host_heap.h"
#include "base/memory/measure/host_memory.h"
#include "base/memory/measure/tensor_memory.h"
#include "base/memory/plan/budget.h"
#include "base/runtime/torch_backend.h"
#include "molgauge/budget_error.h"

namespace molgauge::runtime {
namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

/// Reserve for memory that no plan contains and that becomes resident during a command: library code at its
/// first use, stacks, pages of the store, and gaps in the heap.
constexpr std::uint64_t kReserve = 10 * kMebibyte, kReserveWithTorch = 16 * kMebibyte;
/// Reserve while the work runs, for the growth between two measurements of the guard.
constexpr std::uint64_t kReserveAtWork = 4 * kMebibyte;
/// After keep_freed_memory(), room() returns freed memory to the kernel only if less than this much is
/// available.
constexpr std::uint64_t kPlenty = 256 * kMebibyte;
/// Typical difference in memory between two runs of the same command.
constexpr std::uint64_t kSpread = 4 * kMebibyte;

std::uint64_t process_budget(const ComputeOptions& compute, bool on_device) {
  if (on_device) {
    return memory::parse_budget("--host-memory-budget", compute.host_memory_budget,
                                memory::free_for_this_process());
  }
  if (!compute.host_memory_budget.empty()) {
    throw UsageError(
        "--host-memory-budget has no effect on a CPU. There, --memory-budget applies to the whole process");
  }
  return memory::parse_budget("--memory-budget", compute.memory_budget, memory::free_for_this_process());
}

std::uint64_t device_budget(const ComputeOptions& compute, const GpuMemory& gpu) {
  return memory::parse_budget("--memory-budget", compute.memory_budget, gpu.space().free);
}

/// Throws Error if the threads cannot be started. Without this check, a thread that fails to start later
/// would end the program.
void reserve_for_threads(std::size_t threads) {
  constexpr std::size_t kBesideWorkers = 3;  // three more threads: the reader, the writer and the observer of
                                             // the memory
  require_threads(threads + kBesideWorkers);
}

/// Checks that the threads can start, and sets the requested options of the allocator. Returns the memory of
/// the GPU, from which budgets in percent are computed. Returns null for a CPU.
std::unique_ptr<GpuMemory> prepared(Device device, const ComputeOptions& compute,
                                    BudgetScope::Threads threads) {
  const std::size_t workers = threads_of(compute);
  if (threads != BudgetScope::Threads::none) {
    reserve_for_threads(workers);
  }
  if (device.is_cpu()) {
    if (!compute.cuda_allocator.empty()) {
      throw UsageError("--cuda-allocator has no effect on the CPU. Use it with --device cuda");
    }
    return nullptr;
  }
  auto gpu = torch_backend().memory_of(device);
  gpu->set_allocator(compute.cuda_allocator);
  return gpu;
}

std::unique_ptr<memory::DeviceProbe> probe_of(const std::unique_ptr<GpuMemory>& gpu) {
  return gpu ? gpu->probe() : nullptr;
}

}  // namespace

std::size_t threads_of(const ComputeOptions& compute) {
  if (compute.threads > kMaxThreads) {
    throw UsageError(fmt::format("--threads {}: the maximum is {}", compute.threads, kMaxThreads));
  }
  return compute.threads > 0 ? compute.threads : std::min(available_processors(), kMaxThreads);
}

PlanningScope::PlanningScope()
    : no_limit_(memory::tensor_memory(), memory::AllocationMeter::kNoLimit),
      trace_(memory::tensor_memory().observe(nullptr)) {}

PlanningScope::~PlanningScope() { memory::tensor_memory().observe(trace_); }

BudgetScope::BudgetScope(const ComputeOptions& compute, Device device, Threads threads)
    : device_(device),
      gpu_(prepared(device, compute, threads)),
      process_budget_(process_budget(compute, device.is_gpu())),
      budget_(gpu_ ? device_budget(compute, *gpu_) : process_budget_),
      device_memory_(probe_of(gpu_)),
      phases_(probe_of(gpu_), &memory::tensor_memory()),
      reserve_(is_torch_backend_open() ? kReserveWithTorch : kReserve) {
  memory::tune_heap(threads_of(compute));
  if (gpu_) {
    gpu_->limit(budget_);
    gpu_->access();  // from now on, all tensors on the GPU are counted
  }
  open_trace(compute);
  phases_.observe(this);
  guard_.emplace(memory::tensor_memory(), process_budget_, reserve_, memory::return_freed_memory,
                 memory::resident_bytes);
}

BudgetScope::~BudgetScope() {
  memory::AllocationMeter& meter = memory::tensor_memory();
  meter.guard(nullptr);
  meter.observe(nullptr);
  meter.set_limit(memory::AllocationMeter::kNoLimit);
  if (gpu_) {
    gpu_->limit(gpu_->space().total);
  }
}

memory::AllocatorAccess BudgetScope::allocator_access() const {
  return gpu_ ? gpu_->access() : memory::tensor_access();
}

void BudgetScope::open_trace(const ComputeOptions& compute) {
  if (compute.memory_trace.empty()) {
    if (compute.memory_trace_ring > 0) {
      throw UsageError("--memory-trace-ring has no effect without --memory-trace");
    }
    return;
  }
  allocator::TraceOptions options;
  options.ring_events = compute.memory_trace_ring;
  if (gpu_) {
    options.capacity = budget_;
    options.settings = gpu_->allocator_settings();
  }
  trace_ = std::make_unique<allocator::AllocationTrace>(compute.memory_trace, options);
  if (gpu_) {
    device_trace_ = gpu_->trace(*trace_);
  } else {
    memory::tensor_memory().observe(trace_.get());
  }
}

memory::AvailableMemory BudgetScope::room() {
  memory::AvailableMemory room{.host = guard_->look(), .device = std::nullopt};
  if (!keeps_freed_memory_ || room.host < kPlenty) {
    memory::return_freed_memory();
    room.host = guard_->look();
  }
  memory::AllocationMeter& meter = memory::tensor_memory();
  meter.set_limit(meter.allocated_bytes() + room.host);
  if (gpu_) {
    gpu_->access().release_cached();
    const std::uint64_t reserved = device_reserved();
    room.device = budget_ > reserved ? budget_ - reserved : 0;
  }
  return room;
}

std::uint64_t BudgetScope::device_reserved() const {
  return device_memory_ ? device_memory_->read().reserved : 0;
}

std::uint64_t BudgetScope::projected_peak(std::uint64_t host_bytes, std::uint64_t device_bytes) const {
  return on_device() ? device_reserved() + device_bytes : memory::resident_bytes() + reserve_ + host_bytes;
}

void BudgetScope::declare_requirement(MemoryRequirement need) { declared_.push_back(std::move(need)); }

void BudgetScope::require(const MemoryRequirement& need) {
  if (phases_.current().empty()) {
    peak_between_phases_ = std::max(peak_between_phases_, memory::peak_resident_bytes());
  }
  const MemoryRequirement *host = &need, *device = &need;
  std::uint64_t for_all = 0;
  for (const MemoryRequirement& later : declared_) {
    for_all = std::max(for_all, later.host_bytes_for_all);
    host = later.host_bytes > host->host_bytes ? &later : host;
    device = later.device_bytes > device->device_bytes ? &later : device;
  }
  const memory::AvailableMemory now = room();
  if (now.device && device->device_bytes > *now.device) {
    refuse_device(*device);
  }
  if (host->host_bytes > now.host || peak_between_phases_ > process_budget_) {
    refuse_host(*host, for_all);
  }
  // All planned work fits. From now on, each part of the work is checked when it begins.
  declared_.clear();
  reserve_ = kReserveAtWork;
  guard_->set_reserve(reserve_);
  memory::tensor_memory().guard(&*guard_);
}

std::uint64_t BudgetScope::smallest_host_budget(std::uint64_t host_bytes) const {
  return std::max(memory::resident_bytes() + reserve_ + host_bytes, peak_between_phases_) + kSpread;
}

std::uint64_t BudgetScope::smallest_budget() const {
  std::uint64_t host = 0, device = 0;
  for (const MemoryRequirement& need : declared_) {
    host = std::max({host, need.host_bytes, need.host_bytes_for_all});
    device = std::max(device, need.device_bytes);
  }
  return on_device() ? device_reserved() + device : smallest_host_budget(host + store_bytes_);
}

void BudgetScope::refuse_device(const MemoryRequirement& need) const {
  throw BudgetError(
      fmt::format("{} needs {} of the GPU in addition to {} in use. That exceeds --memory-budget {}",
                  need.what, format_bytes(need.device_bytes), format_bytes(device_reserved()),
                  format_bytes(budget_)),
      "--memory-budget", device_reserved() + need.device_bytes);
}

void BudgetScope::refuse_host(const MemoryRequirement& need, std::uint64_t bytes_for_all) const {
  const char* const option = on_device() ? "--host-memory-budget" : "--memory-budget";
  throw BudgetError(
      fmt::format(
          "{} needs {} in addition to {} that the program, its libraries and its data use. That exceeds "
          "{} {}",
          need.what, format_bytes(need.host_bytes), format_bytes(memory::resident_bytes()), option,
          format_bytes(process_budget_)),
      option, smallest_host_budget(std::max(need.host_bytes, bytes_for_all)));
}

memory::RunCost BudgetScope::cost() const {
  memory::RunCost cost;
  cost.device = device_.text();
  cost.phases = phases_.reports();
  cost.memory_budget_bytes = budget_;
  cost.host_memory_budget_bytes = host_budget();
  return cost;
}

void BudgetScope::keep_status(const std::filesystem::path& run) {
  status_.emplace(run, budget_);
  status_->set_phase(phases_.current());
}

void BudgetScope::set_batch(std::string text) {
  if (status_) {
    status_->set_batch(std::move(text));
  }
}

void BudgetScope::began(std::string_view name) {
  if (phases_.current().empty()) {
    peak_between_phases_ = std::max(peak_between_phases_, memory::peak_resident_bytes());
  }
  if (trace_) {
    trace_->began(name);
  }
  if (status_) {
    status_->began(name);
  }
}

void BudgetScope::ended() {
  if (gpu_ && phases_.current().empty()) {
    gpu_->release_pinned();  // because the plan of the next phase counts this memory as free
  }
  if (trace_) {
    trace_->ended();
  }
  if (status_) {
    status_->ended();
  }
}

}  // namespace molgauge::runtime
