// `molgauge memory report` and `molgauge memory watch`.

#include "base/command_line/command.h"

#include <chrono>
#include <cstdio>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "base/command_line/engine_loader.h"
#include "base/command_line/option_values.h"
#include "base/command_line/table_options.h"
#include "base/core/error.h"
#include "base/core/session/cancellation.h"
#include "base/core/session/standard_streams.h"
#include "base/core/text/bytes.h"
#include "base/core/text/counted.h"
#include "base/core/text/printable.h"
#include "base/page/text_table.h"

namespace molgauge::cli {
namespace {

std::string bytes_or_nothing(std::uint64_t bytes) { return bytes > 0 ? format_bytes(bytes) : "-"; }

std::string share_of_budget(std::uint64_t bytes, std::uint64_t budget) {
  return bytes > 0 && budget > 0
             ? fmt::format("{:.0f} %", 100.0 * static_cast<double>(bytes) / static_cast<double>(budget))
             : "-";
}

void print_command(const MemoryOfCommand& command) {
  const bool on_device = command.device.starts_with("cuda");
  print_result("{} on {}", command.command, command.device);
  if (command.memory_budget_bytes > 0) {
    print_result(", budget {}", format_bytes(command.memory_budget_bytes));
  }
  if (command.host_memory_budget_bytes > 0) {
    print_result(", of the process {}", format_bytes(command.host_memory_budget_bytes));
  }
  if (command.batch_size_planned > 0) {
    print_result(". Batch size: {} planned, {} used", command.batch_size_planned, command.batch_size_used);
  }
  print_result(". Recovered {} from running out of memory\n", counted(command.oom_recoveries, "time"));
  page::TextTable table({"phase", "seconds", "planned", "peak", "of budget", "tensors", "refused"});
  for (const auto& phase : command.phases) {
    const std::uint64_t peak = on_device ? phase.peak_device_reserved_bytes : phase.peak_host_memory_bytes;
    table.add_row(
        {phase.phase, fmt::format("{:.2f}", phase.seconds), bytes_or_nothing(phase.planned_memory_bytes),
         bytes_or_nothing(peak), share_of_budget(peak, command.memory_budget_bytes),
         bytes_or_nothing(on_device ? phase.peak_device_memory_bytes : phase.peak_tensor_memory_bytes),
         std::to_string(on_device ? phase.device_retries : phase.refused_tensors)});
  }
  print_result("{}", table.to_string());
}

std::string describe(const WatchedMemory& watched) {
  std::string text =
      fmt::format("{} ({})  {}", watched.pid, watched.name, format_bytes(watched.resident_bytes));
  if (watched.budget_bytes > 0) {
    text += fmt::format(" of {}", format_bytes(watched.budget_bytes));
  }
  text += fmt::format("  peak {}  {}", format_bytes(watched.peak_bytes), counted(watched.threads, "thread"));
  if (!watched.phase.empty()) {
    text += "  " + watched.phase;
  }
  if (!watched.batch.empty()) {
    text += "  batch " + watched.batch;
  }
  return text;
}

/// Returns a bar for the resident memory. A full bar stands for the budget, or for the peak if there is no
/// budget.
std::string bar(const WatchedMemory& watched) {
  constexpr std::size_t width = 30;
  const std::uint64_t full = watched.budget_bytes > 0 ? watched.budget_bytes : watched.peak_bytes;
  const std::size_t filled =
      full > 0 ? std::min<std::size_t>(width, watched.resident_bytes * width / full) : 0;
  return "[" + std::string(filled, '#') + std::string(width - filled, '.') + "] ";
}

void watch(const WatchMemoryRequest& request, double every_seconds) {
  Engine& engine = load_engine();
  const bool is_terminal = isatty(STDOUT_FILENO) == 1;
  bool any = false;
  for (WatchedMemory watched = engine.run(request); watched.running; watched = engine.run(request)) {
    any = true;
    if (is_terminal) {
      fmt::print("\r\x1b[K{}{}", bar(watched), printable(describe(watched)));
    } else {
      print_result("{}\n", describe(watched));
    }
    std::fflush(stdout);
    throw_if_cancelled();
    std::this_thread::sleep_for(std::chrono::duration<double>(every_seconds));
  }
  if (!any && request.target.find_first_not_of("0123456789") == std::string::npos) {
    throw InputError(request.target + ": no process has this ID");
  }
  print_result("{}{}: {}\n", is_terminal && any ? "\n" : "", request.target,
               any ? "ended" : "is not running");
}

void run(const ReportMemoryRequest& request, bool json) {
  const MemoryOfRun report = load_engine().run(request);
  if (json) {
    fmt::print("{}", report.json);
    return;
  }
  for (const auto& command : report.commands) {
    print_command(command);
  }
  print_result(
      "(peak: resident memory of the process, or reserved memory on a GPU. Refused: requests that did not "
      "fit at first, or on a GPU requests that released the cache. A step within a phase has no peak)\n");
}

void add_watch(CLI::App& command, Verbs& verbs) {
  auto target = std::make_shared<WatchMemoryRequest>();
  auto every = std::make_shared<double>(0.5);
  add_options(command, *target);
  CLI::Option* const interval =
      command.add_option("--every", *every, "Time between measurements")->capture_default_str();
  check_range(*interval, options::real(0.05, 3'600), "seconds");
  put_in(interval, options::Group::output);
  verbs.push_back({&command, [target, every] { watch(*target, *every); }});
}

}  // namespace

template <>
std::vector<Command> commands<ReportMemoryRequest>() {
  return {{.name = "memory report",
           .summary = "Compare the phases of a finished run with its plan and budget",
           .add = runs_with_json<ReportMemoryRequest>(run)}};
}

template <>
std::vector<Command> commands<WatchMemoryRequest>() {
  return {{.name = "memory watch",
           .summary = "Show the memory of a process or a run until it ends",
           .add = add_watch}};
}

}  // namespace molgauge::cli
