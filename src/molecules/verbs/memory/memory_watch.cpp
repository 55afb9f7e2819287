// `molgauge memory watch`.

#include <charconv>
#include <optional>

#include "base/core/error.h"
#include "base/memory/measure/process_memory.h"
#include "base/options/verb.h"
#include "base/runtime/run_status.h"

namespace molgauge::verbs {
namespace {

std::optional<long> process_number(const std::string& text) {
  long number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, number);
  return failure == std::errc() && stop == end && number > 0 ? std::optional(number) : std::nullopt;
}

runtime::RunStatusFile status_of(const std::string& run) {
  auto status = runtime::read_run_status(run);
  if (!status) {
    throw InputError(run + ": is neither the ID of a running process nor a run folder (with status.json)");
  }
  return *status;
}

WatchedMemory watch_memory(const WatchMemoryRequest& request) {
  WatchedMemory watched;
  const auto number = process_number(request.target);
  if (number) {
    watched.pid = *number;
    watched.running = true;
  } else {
    const runtime::RunStatusFile status = status_of(request.target);
    watched.pid = status.pid;
    watched.running = status.running;
    watched.phase = status.phase;
    watched.batch = status.batch;
    watched.budget_bytes = status.budget_bytes;
  }
  const auto memory = memory::process_memory(watched.pid);
  watched.running = watched.running && memory.has_value();
  if (watched.running) {
    watched.name = memory->name;
    watched.resident_bytes = memory->resident;
    watched.peak_bytes = memory->peak;
    watched.threads = memory->threads;
  }
  return watched;
}

}  // namespace
}  // namespace molgauge::verbs

namespace molgauge {

template <>
verbs::Verb verbs::verb<WatchMemoryRequest>() {
  return row_without_json<WatchMemoryRequest>("memory_watch", watch_memory);
}

}  // namespace molgauge
