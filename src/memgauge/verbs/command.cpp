#include "base/command_line/command.h"

#include <fmt/format.h>

#include "base/core/session/standard_streams.h"
#include "base/core/text/bytes.h"
#include "base/core/text/counted.h"
#include "base/core/text/printable.h"
#include "base/page/text_table.h"
#include "memgauge/verbs/verbs.h"

namespace molgauge::cli {
namespace {

std::string outcome(const SimulatedMemory& run) {
  return run.fits ? "fits"
                  : fmt::format("runs out at event {}{}{}", run.run_out->event,
                                run.run_out->phase.empty() ? "" : ", ", run.run_out->phase);
}

void print_simulation(const SimulateMemoryReport& report) {
  print_result("{}: {}, {}, {}. Memory of the GPU: {}\n", report.source, report.format,
               counted(report.events, "event"), counted(report.allocations, "allocation"),
               report.capacity_bytes ? format_bytes(*report.capacity_bytes) : "unlimited");
  for (const auto& note : report.notes) {
    print_result("note: {}\n", note);
  }
  page::TextTable table({"settings", "outcome", "reserved", "in use", "stranded", "largest free", "retries"});
  for (const auto& run : report.runs) {
    const MemoryTimelinePoint last = run.timeline.empty() ? MemoryTimelinePoint{} : run.timeline.back();
    table.add_row({run.settings.empty() ? "defaults" : run.settings, outcome(run),
                   format_bytes(run.peak_reserved_bytes), format_bytes(run.peak_allocated_bytes),
                   format_bytes(last.stranded_bytes), format_bytes(last.largest_free_block_bytes),
                   std::to_string(run.retries)});
  }
  print_result("{}(reserved and in use are peaks. Stranded and largest free are values at the end)\n",
               table.to_string());
}

void run(const SimulateMemoryRequest& request, bool json) {
  const SimulateMemoryReport report = allocator::simulate_memory(request);
  if (json) {
    fmt::print("{}", report.json);
  } else {
    print_simulation(report);
  }
}

void run(const ExplainMemoryRequest& request, bool json) {
  const MemoryExplanation explanation = allocator::explain_memory(request);
  fmt::print("{}", json ? explanation.json : printable_lines(explanation.text));
  if (!request.page.empty()) {
    print_info("page: {}\n", request.page);
  }
}

void run(const DiffMemoryRequest& request, bool json) {
  const MemoryDifference difference = allocator::diff_memory(request);
  fmt::print("{}", json ? difference.json : printable_lines(difference.text));
}

}  // namespace

template <>
std::vector<Command> commands<SimulateMemoryRequest>() {
  return {{.name = "memory simulate",
           .summary = "Replay recorded allocations with other allocator settings or another memory capacity",
           .add = runs_with_json<SimulateMemoryRequest>(run)}};
}

template <>
std::vector<Command> commands<ExplainMemoryRequest>() {
  return {{.name = "memory explain",
           .summary = "Explain why memory ran out or was wasted, and suggest a fix",
           .add = runs_with_json<ExplainMemoryRequest>(run)}};
}

template <>
std::vector<Command> commands<DiffMemoryRequest>() {
  return {{.name = "memory diff",
           .summary = "Compare two recordings and show which stacks and phases grew",
           .add = runs_with_json<DiffMemoryRequest>(run)}};
}

}  // namespace molgauge::cli
