#include <charconv>

#include <fmt/format.h>

#include "core/bytes.h"
#include "core/counted.h"
#include "core/error.h"
#include "core/printable.h"
#include "core/standard_streams.h"
#include "engine_loader.h"
#include "option_values.h"
#include "page/text_table.h"
#include "verb.h"

namespace headroom::cli {
namespace {

/// Options of simulate and explain, as typed; `file` and `device` are those of simulate.
struct RecordingOptions {
  std::string file, capacity;
  std::optional<std::size_t> device;
  bool json = false;

  std::optional<std::uint64_t> capacity_bytes() const {
    if (capacity.empty()) {
      return std::nullopt;
    }
    const std::uint64_t bytes = parse_bytes(capacity);
    if (bytes == 0) {
      throw UsageError("--capacity " + capacity + ": a card has some memory; write it as 24GiB");
    }
    return bytes;
  }
};

constexpr const char* kRecording =
    "Allocation trace of headroom, or a PyTorch snapshot (torch.cuda.memory._dump_snapshot); each may be "
    "gzipped";

void add_file(CLI::App& command, const char* name, std::string& file) {
  command.add_option(name, file, kRecording)->required();
}

void add_recording_options(CLI::App& command, RecordingOptions& options) {
  command.add_option("--capacity", options.capacity,
                     "Memory of the card, such as 24GiB [as recorded, else without limit]");
  command.add_flag("--json", options.json, "Print JSON instead of text (docs/formats.md)");
}

constexpr const char* kChosenDevice = "where memory ran out, else the one that reserved the most";

void add_device_option(CLI::App& command, std::optional<std::size_t>& device) {
  check_range(
      *command.add_option("--device", device,
                          fmt::format("Of a snapshot of several devices: which one [{}]", kChosenDevice)),
      options::whole(0, 1'023));
}

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

void simulate(const RecordingOptions& options, const std::vector<std::string>& settings) {
  const SimulateMemoryReport report =
      load_engine().simulate_memory({options.file, settings, options.capacity_bytes(), options.device});
  if (options.json) {
    fmt::print("{}", report.json);
  } else {
    print_simulation(report);
  }
}

/// Options that `explain` takes beside the file.
struct ExplainOptions {
  std::vector<std::string> files;
  std::optional<std::string> setting;
  std::string device, html;
};

/// "all", or the number of a device.
void read_device(const std::string& text, ExplainMemoryRequest& request) {
  if (text.empty()) {
    return;
  }
  request.all_devices = text == "all";
  if (!request.all_devices) {
    std::size_t device = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), device);
    if (error != std::errc() || end != text.data() + text.size()) {
      throw UsageError("--device " + text + ": write the number of a device, or all");
    }
    request.device = device;
  }
}

void explain(const RecordingOptions& options, const ExplainOptions& more) {
  ExplainMemoryRequest request;
  request.file = more.files.front();
  request.other_ranks.assign(more.files.begin() + 1, more.files.end());
  request.settings = more.setting;
  request.capacity_bytes = options.capacity_bytes();
  request.html = more.html;
  read_device(more.device, request);
  const MemoryExplanation explanation = load_engine().explain_memory(request);
  fmt::print("{}", options.json ? explanation.json : printable_lines(explanation.text));
  if (!more.html.empty()) {
    tell("page: {}\n", more.html);
  }
}

void add_simulate(CLI::App& memory, Verbs& verbs) {
  auto* const command = memory.add_subcommand(
      "simulate", "Run a recorded program again under other allocator settings or on another card");
  auto options = std::make_shared<RecordingOptions>();
  auto settings = std::make_shared<std::vector<std::string>>();
  add_file(*command, "TRACE", options->file);
  add_recording_options(*command, *options);
  add_device_option(*command, options->device);
  command
      ->add_option(
          "--setting", *settings,
          "As PYTORCH_CUDA_ALLOC_CONF, such as expandable_segments:True; '' for the defaults; may be given "
          "several times [as recorded]")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  verbs.push_back({command, [options, settings] { simulate(*options, *settings); }});
}

void add_explain(CLI::App& memory, Verbs& verbs) {
  auto* const command =
      memory.add_subcommand("explain", "Say why memory ran out or was wasted, and what would have cured it");
  auto options = std::make_shared<RecordingOptions>();
  auto more = std::make_shared<ExplainOptions>();
  command
      ->add_option("FILE", more->files,
                   fmt::format("{}. Several files: the snapshots of the ranks of one run, which are compared",
                               kRecording))
      ->required();
  add_recording_options(*command, *options);
  command->add_option("--device", more->device,
                      fmt::format("Of a snapshot of several devices: which one, or all [{}]", kChosenDevice));
  command->add_option("--setting", more->setting,
                      "As PYTORCH_CUDA_ALLOC_CONF: explain the run under it [as recorded]");
  command->add_option("--html", more->html,
                      "Page to write: who held memory over time, the segments at any moment, the table of "
                      "changes");
  verbs.push_back({command, [options, more] { explain(*options, *more); }});
}

void diff(const DiffMemoryRequest& request, bool json) {
  const MemoryDifference difference = load_engine().diff_memory(request);
  fmt::print("{}", json ? difference.json : printable_lines(difference.text));
}

void add_diff(CLI::App& memory, Verbs& verbs) {
  auto* const command =
      memory.add_subcommand("diff", "Show what grew from one recording to another, by stack and phase");
  auto request = std::make_shared<DiffMemoryRequest>();
  auto json = std::make_shared<bool>(false);
  add_file(*command, "BEFORE", request->before);
  add_file(*command, "AFTER", request->after);
  add_device_option(*command, request->device);
  command->add_flag("--json", *json, "Print JSON instead of text (docs/formats.md)");
  verbs.push_back({command, [request, json] { diff(*request, *json); }});
}

}  // namespace

void add_memory(CLI::App& app, Verbs& verbs) {
  auto* const memory =
      app.add_subcommand("memory", "Plan memory, and say where it goes: of runs, processes and traces");
  memory->require_subcommand(1);
  add_memory_plan(*memory, verbs);
  add_simulate(*memory, verbs);
  add_explain(*memory, verbs);
  add_diff(*memory, verbs);
  add_memory_of_runs(*memory, verbs);
}

}  // namespace headroom::cli
