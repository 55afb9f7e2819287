#include <array>

#include <fmt/format.h>

#include "core/bytes.h"
#include "core/counted.h"
#include "core/error.h"
#include "core/standard_streams.h"
#include "engine_loader.h"
#include "page/text_table.h"
#include "table_options.h"
#include "verb.h"

namespace headroom::cli {
namespace {

/// Options that both verbs take, as they are typed.
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

using R = RecordingOptions;
constexpr std::array kRecordingOptions = {
    options::Option{.name = "capacity",
                    .field = options::field<R, &R::capacity>,
                    .help = "Memory of the card, such as 24GiB [as recorded, else without limit]",
                    .is_common = true},
    options::Option{.name = "device",
                    .field = options::field<R, &R::device>,
                    .help = "Of a snapshot of several devices: which one [the busiest]",
                    .is_common = true,
                    .range = options::whole(0, 1'023)},
    options::Option{.name = "json",
                    .field = options::field<R, &R::json>,
                    .help = "Print JSON instead of text",
                    .is_common = true}};

void add_recording_options(CLI::App& command, const char* name, RecordingOptions& recording) {
  command
      .add_option(
          name, recording.file,
          "Allocation trace of headroom, or a PyTorch snapshot (torch.cuda.memory._dump_snapshot); each may "
          "be gzipped")
      ->required();
  add_options(command, options::MutableView{kRecordingOptions, &recording});
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

void explain(const RecordingOptions& options, const std::optional<std::string>& setting,
             const std::string& html) {
  const MemoryExplanation explanation =
      load_engine().explain_memory({options.file, setting, options.capacity_bytes(), options.device, html});
  fmt::print("{}", options.json ? explanation.json : explanation.text);
  if (!html.empty()) {
    tell("page: {}\n", html);
  }
}

void add_simulate(CLI::App& memory, Verbs& verbs) {
  auto* const command = memory.add_subcommand(
      "simulate", "Run a recorded program again under other allocator settings or on another card");
  auto options = std::make_shared<RecordingOptions>();
  auto settings = std::make_shared<std::vector<std::string>>();
  add_recording_options(*command, "TRACE", *options);
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
  auto setting = std::make_shared<std::optional<std::string>>();
  auto html = std::make_shared<std::string>();
  add_recording_options(*command, "FILE", *options);
  command->add_option("--setting", *setting,
                      "As PYTORCH_CUDA_ALLOC_CONF: explain the run under it [as recorded]");
  command->add_option("--html", *html, "Page to write: timeline, block map, fragmentation curve");
  verbs.push_back({command, [options, setting, html] { explain(*options, *setting, *html); }});
}

}  // namespace

void add_memory(CLI::App& app, Verbs& verbs) {
  auto* const memory =
      app.add_subcommand("memory", "Plan memory, and say where it goes: of runs, processes and traces");
  memory->require_subcommand(1);
  add_memory_plan(*memory, verbs);
  add_simulate(*memory, verbs);
  add_explain(*memory, verbs);
  add_memory_of_runs(*memory, verbs);
}

}  // namespace headroom::cli
