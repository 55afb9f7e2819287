#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "base/core/error.h"
#include "base/memory/measure/allocation_meter.h"
#include "base/memory/measure/phase.h"
#include "base/memory/trace/trace_writer.h"

namespace molgauge::allocator {

/// Writes the allocations that a meter counts, and their phases, into an allocation trace.
///
/// If the trace can no longer be written, for example because the disk is full, it ends early. The error is
/// logged once, and the traced work continues.
///
/// Thread safety: allocations may come from any thread. A phase must begin and end in the same thread.
class AllocationTrace final : public memory::AllocationObserver, public memory::PhaseObserver {
 public:
  /// Throws the exceptions of TraceWriter.
  AllocationTrace(const std::filesystem::path& path, const TraceOptions& options) : writer_(path, options) {}

  void allocated(std::uintptr_t address, std::uint64_t bytes) override;
  void freed(std::uintptr_t address, std::uint64_t bytes) override;
  void refused(std::uint64_t bytes) override;
  void began(std::string_view name) override;
  void ended() override;

  /// Records an event of another source, for example of the allocator of a GPU.
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

}  // namespace molgauge::allocator
