#include <variant>

#include <fmt/format.h>

#include "core/bytes.h"
#include "core/error.h"
#include "engine_loader.h"
#include "report/text_table.h"
#include "verb.h"

namespace headroom::cli {
namespace {

/// Options that both verbs take, as they are typed.
struct RecordingOptions {
  std::string file, capacity;
  int device = -1;
  bool json = false;

  std::optional<std::uint64_t> capacity_bytes() const {
    return capacity.empty() ? std::nullopt : std::optional(parse_bytes(capacity));
  }
  std::optional<std::size_t> device_number() const {
    return device < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(device));
  }
};

void add_recording_options(CLI::App& command, const char* name, RecordingOptions& options) {
  command
      .add_option(
          name, options.file,
          "Allocation trace of headroom, or a PyTorch snapshot (torch.cuda.memory._dump_snapshot); each may "
          "be gzipped")
      ->required();
  command.add_option("--capacity", options.capacity,
                     "Memory of the card, such as 24GiB [as recorded, else without limit]");
  command.add_option("--device", options.device, "Of a snapshot of several devices: which one [the busiest]")
      ->check(CLI::NonNegativeNumber);
  command.add_flag("--json", options.json, "Print JSON instead of text");
}

std::string outcome(const SimulatedMemory& run) {
  return run.fits ? "fits"
                  : fmt::format("runs out at event {}{}{}", run.run_out->event,
                                run.run_out->phase.empty() ? "" : ", ", run.run_out->phase);
}

void print_simulation(const SimulateMemoryReport& report) {
  fmt::print("{}: {}, {} events, {} allocations; card: {}\n", report.source, report.format, report.events,
             report.allocations,
             report.capacity_bytes ? format_bytes(*report.capacity_bytes) : "without limit");
  for (const auto& note : report.notes) {
    fmt::print("note: {}\n", note);
  }
  report::TextTable table(
      {"settings", "outcome", "reserved", "in use", "stranded", "largest free", "retries"});
  for (const auto& run : report.runs) {
    const MemoryTimelinePoint last = run.timeline.empty() ? MemoryTimelinePoint{} : run.timeline.back();
    table.add_row({run.settings.empty() ? "defaults" : run.settings, outcome(run),
                   format_bytes(run.peak_reserved_bytes), format_bytes(run.peak_allocated_bytes),
                   format_bytes(last.stranded_bytes), format_bytes(last.largest_free_block_bytes),
                   std::to_string(run.retries)});
  }
  fmt::print("{}(reserved and in use: the highest; stranded and largest free block: at the end)\n",
             table.to_string());
}

void simulate(const RecordingOptions& options, const std::vector<std::string>& settings) {
  const SimulateMemoryReport report = load_engine().simulate_memory(
      {options.file, settings, options.capacity_bytes(), options.device_number()});
  if (options.json) {
    fmt::print("{}", report.json);
  } else {
    print_simulation(report);
  }
}

void explain(const RecordingOptions& options, const std::optional<std::string>& setting,
             const std::string& html) {
  const MemoryExplanation explanation = load_engine().explain_memory(
      {options.file, setting, options.capacity_bytes(), options.device_number(), html});
  fmt::print("{}", options.json ? explanation.json : explanation.text);
  if (!html.empty()) {
    fmt::print(stderr, "page: {}\n", html);
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

void add_plan_options(CLI::App& command, ComputeOptions& compute, bool& json) {
  command.add_option("--memory-budget", compute.memory_budget,
                     "Resident memory the process may take, such as 1GiB or 80% (of what is free) [95%]");
  command.add_option("--threads", compute.threads, "CPU threads; 0: every processor this process may use")
      ->capture_default_str();
  command.add_flag("--json", json, "Print JSON, a list of plans, instead of text");
}

void print_plans(const std::vector<MemoryPlan>& plans, bool json) {
  std::string text;
  for (const MemoryPlan& plan : plans) {
    const char* const between = text.empty() ? "" : json ? "," : "\n";
    text += between + (json ? plan.json : plan.text);
  }
  fmt::print("{}{}{}", json ? "[" : "", text, json ? "]\n" : "");
}

/// Exits with 4 after everything has been printed where a phase does not fit.
void plan(const PlanMemoryRequest& request, bool json) {
  const std::vector<MemoryPlan> plans = load_engine().plan_memory(request);
  print_plans(plans, json);
  for (const MemoryPlan& phase : plans) {
    if (!phase.chosen) {
      throw Error(fmt::format("{} does not fit; for tensors alone it takes {}", phase.work,
                              format_bytes(phase.smallest_budget_bytes)),
                  ExitCode::over_budget);
    }
  }
}

void add_plan_encode(CLI::App& plan_command, Verbs& verbs) {
  auto* const command = plan_command.add_subcommand("encode", "Plan headroom encode");
  auto request = std::make_shared<EncodeRequest>();
  auto json = std::make_shared<bool>(false);
  command
      ->add_option("MOLECULES", request->molecules,
                   ".csv, .tsv, .smi, .sdf or DrugOOD .json, each also gzipped; '-': SMILES lines on stdin")
      ->required();
  command
      ->add_option("--smiles-column", request->smiles_column,
                   "Column of a .csv or .tsv that holds the SMILES")
      ->capture_default_str();
  command->add_option("--encoder", request->encoder, "minimol or ecfp")->capture_default_str();
  command->add_option("--weights", request->weights,
                      "Folder of the installed weights [$HEADROOM_HOME/weights]");
  command->add_option("--batch-atoms", request->batch_atoms, "Atoms per batch; 0: chosen")
      ->capture_default_str();
  add_plan_options(*command, request->compute, *json);
  verbs.push_back({command, [request, json] { plan({*request}, *json); }});
}

void add_plan_train(CLI::App& plan_command, Verbs& verbs) {
  auto* const command =
      plan_command.add_subcommand("train", "Plan headroom train: encoding, then training the head");
  auto request = std::make_shared<TrainRequest>();
  auto json = std::make_shared<bool>(false);
  command
      ->add_option("BENCHMARK", request->benchmark,
                   "DrugOOD JSON, as headroom split writes it, or a name in --data-path")
      ->required();
  command->add_option("--data-path", request->data_path, "Folder in which names of data sets are looked up");
  command->add_option("--encoder", request->encoder, "minimol or ecfp")->capture_default_str();
  command->add_option("--weights", request->weights,
                      "Folder of the installed weights [$HEADROOM_HOME/weights]");
  command
      ->add_option("--batch-size", request->batch_size, "Molecules per side and step, as for headroom train")
      ->capture_default_str();
  command
      ->add_option("--eval-batch-size", request->eval_batch_size,
                   "Molecules per side and batch in validation, likewise")
      ->capture_default_str();
  command->add_option("--hidden-dim", request->hidden_dim, "Width of the head's first hidden layer")
      ->capture_default_str();
  command
      ->add_option("--gradient-accumulation", request->gradient_accumulation,
                   "auto, or parts of a step, as for headroom train")
      ->capture_default_str();
  command
      ->add_option("--checkpoint-activations", request->checkpoint_activations, "auto, on or off, likewise")
      ->capture_default_str()
      ->check(CLI::IsMember({"auto", "on", "off"}));
  command->add_option("--autocast", request->autocast, "off or bf16, likewise")
      ->capture_default_str()
      ->check(CLI::IsMember({"off", "bf16"}));
  command->add_option("--optimizer-state", request->optimizer_state, "fp32 or bf16, likewise")
      ->capture_default_str()
      ->check(CLI::IsMember({"fp32", "bf16"}));
  add_draw_options(*command, *request);
  add_plan_options(*command, request->compute, *json);
  verbs.push_back({command, [request, json] { plan({*request}, *json); }});
}

void add_plan_baseline(CLI::App& plan_command, Verbs& verbs) {
  auto* const command = plan_command.add_subcommand(
      "baseline", "Plan headroom baseline: encoding, then training the classifier");
  auto request = std::make_shared<BaselineRequest>();
  auto json = std::make_shared<bool>(false);
  command
      ->add_option("BENCHMARK", request->benchmark,
                   "DrugOOD JSON, as headroom split writes it, or a name in --data-path")
      ->required();
  command->add_option("--data-path", request->data_path, "Folder in which names of data sets are looked up");
  command->add_option("--encoder", request->encoder, "minimol or ecfp")->capture_default_str();
  command->add_option("--weights", request->weights,
                      "Folder of the installed weights [$HEADROOM_HOME/weights]");
  command->add_option("--labels", request->labels, "What the classifier learns, as for headroom baseline")
      ->capture_default_str();
  command->add_option("--batch-size", request->batch_size, "Molecules per training step")
      ->capture_default_str();
  command
      ->add_option("--hidden-channels", request->hidden_channels, "Width of the classifier's hidden layers")
      ->capture_default_str();
  command->add_option("--num-layers", request->num_layers, "Its linear layers, at least 2")
      ->capture_default_str();
  add_draw_options(*command, *request);
  add_plan_options(*command, request->compute, *json);
  verbs.push_back({command, [request, json] { plan({*request}, *json); }});
}

void add_plan(CLI::App& memory, Verbs& verbs) {
  auto* const command = memory.add_subcommand(
      "plan", "Say what a command would take, phase by phase, and what would be chosen within a budget");
  command->require_subcommand(1);
  add_plan_encode(*command, verbs);
  add_plan_train(*command, verbs);
  add_plan_baseline(*command, verbs);
}

}  // namespace

void add_memory(CLI::App& app, Verbs& verbs) {
  auto* const memory =
      app.add_subcommand("memory", "Plan memory, and say where it goes: of runs, processes and traces");
  memory->require_subcommand(1);
  add_plan(*memory, verbs);
  add_simulate(*memory, verbs);
  add_explain(*memory, verbs);
  add_memory_of_runs(*memory, verbs);
}

}  // namespace headroom::cli
