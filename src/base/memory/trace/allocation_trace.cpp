#include "base/memory/trace/allocation_trace.h"

#include "base/core/session/log.h"

namespace molgauge::allocator {
namespace {

/// CPU tensors have no streams.
constexpr std::uint64_t kNoStream = 0;

}  // namespace

void AllocationTrace::give_up(const Error& error) {
  if (!broken_.exchange(true)) {
    log_error("the allocation trace ends here: {}", error.what());
  }
}

void AllocationTrace::allocated(std::uintptr_t address, std::uint64_t bytes) {
  record([&](TraceWriter& writer) { writer.allocate(address, bytes, kNoStream); });
}

void AllocationTrace::freed(std::uintptr_t address, std::uint64_t bytes) {
  record([&](TraceWriter& writer) { writer.free(address, bytes, kNoStream); });
}

void AllocationTrace::refused(std::uint64_t bytes) {
  record([&](TraceWriter& writer) { writer.out_of_memory(bytes, kNoStream); });
}

void AllocationTrace::began(std::string_view name) {
  record([&](TraceWriter& writer) { writer.begin_phase(name); });
}

void AllocationTrace::ended() {
  record([&](TraceWriter& writer) { writer.end_phase(); });
}

}  // namespace molgauge::allocator
