#include <fmt/format.h>

#include "core/bytes.h"
#include "core/counted.h"
#include "core/printable.h"
#include "core/standard_streams.h"
#include "pages/toolkit/text_table.h"
#include "table_options.h"
#include "verb.h"
#include "verbs/explain/commands.h"

namespace headroom::cli {
namespace {

constexpr const char* kJson = "Print JSON instead of text (docs/reference/formats.md)";

std::string outcome(const SimulatedMemory& run) {
  return run.fits ? "fits"
                  : fmt::format("runs out at event {}{}{}", run.run_out->event,
                                run.run_out->phase.empty() ? "" : ", ", run.run_out->phase);
}

void print_simulation(const SimulateMemoryReport& report) {
  print_result("{}: {}, {}, {}; card: {}\n", report.source, report.format, counted(report.events, "event"),
               counted(report.allocations, "allocation"),
               report.capacity_bytes ? format_bytes(*report.capacity_bytes) : "without limit");
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
  print_result("{}(reserved and in use: the highest; stranded and largest free block: at the end)\n",
               table.to_string());
}

void simulate(const SimulateMemoryRequest& request, bool json) {
  const SimulateMemoryReport report = allocator::simulate_memory(request);
  if (json) {
    fmt::print("{}", report.json);
  } else {
    print_simulation(report);
  }
}

void explain(const ExplainMemoryRequest& request, bool json) {
  const MemoryExplanation explanation = allocator::explain_memory(request);
  fmt::print("{}", json ? explanation.json : printable_lines(explanation.text));
  if (!request.html.empty()) {
    print_info("page: {}\n", request.html);
  }
}

void diff(const DiffMemoryRequest& request, bool json) {
  const MemoryDifference difference = allocator::diff_memory(request);
  fmt::print("{}", json ? difference.json : printable_lines(difference.text));
}

/// A subcommand of `headroom memory` that takes a request and prints text or JSON.
template <typename Request>
void add_subcommand(CLI::App& memory, Verbs& verbs, const char* name, const char* what,
                    void (*run)(const Request&, bool json)) {
  auto* const command = memory.add_subcommand(name, what);
  auto request = std::make_shared<Request>();
  auto json = std::make_shared<bool>(false);
  add_options(*command, *request);
  command->add_flag("--json", *json, kJson);
  verbs.push_back({command, [request, json, run] { run(*request, *json); }});
}

}  // namespace

void add_memory(CLI::App& app, Verbs& verbs) {
  auto* const memory =
      app.add_subcommand("memory", "Plan memory, and say where it goes: of runs, processes and traces");
  memory->require_subcommand(1);
  add_memory_plan(*memory, verbs);
  add_subcommand(*memory, verbs, "simulate",
                 "Run a recorded program again under other allocator settings or on another card", simulate);
  add_subcommand(*memory, verbs, "explain",
                 "Say why memory ran out or was wasted, and what would have cured it", explain);
  add_subcommand(*memory, verbs, "diff", "Show what grew from one recording to another, by stack and phase",
                 diff);
  add_memory_of_runs(*memory, verbs);
}

}  // namespace headroom::cli
