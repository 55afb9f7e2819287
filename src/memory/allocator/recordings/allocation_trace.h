#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "core/error.h"
#include "memory/allocator/recordings/trace_writer.h"
#include "memory/measure/allocation_meter.h"
#include "memory/measure/phase.h"

namespace headroom::allocator {

/// Writes the allocations that a meter counts, and their phases, into an allocation trace.
///
/// A trace that can no longer be written (a full disk) ends there, which is logged once; the traced work
/// goes on.
///
/// Thread safety: allocations from any thread; phases from the thread that begins and ends them.
class AllocationTrace final : public memory::AllocationObserver, public memory::PhaseObserver {
 public:
  /// Throws the exceptions of TraceWriter.
  AllocationTrace(const std::filesystem::path& path, const TraceOptions& options) : writer_(path, options) {}

  void allocated(std::uintptr_t address, std::uint64_t bytes) override;
  void freed(std::uintptr_t address, std::uint64_t bytes) override;
  void refused(std::uint64_t bytes) override;
  void began(std::string_view name) override;
  void ended() override;

  /// Records other events, such as those of a device.
  template <typename Event>
  void record(Event event) {
    if (broken_.load(std::memory_order_relaxed)) {
      return;
    }
    try {
      event(writer_);
    } catch (const Error& error) {
      give_up(error);
    }
  }

 private:
  void give_up(const Error& error);

  TraceWriter writer_;
  std::atomic<bool> broken_{false};
};

}  // namespace headroom::allocator
