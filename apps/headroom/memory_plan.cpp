#include <type_traits>

#include <fmt/format.h>

#include "core/bytes.h"
#include "core/error.h"
#include "engine_loader.h"
#include "verb.h"

namespace headroom::cli {
namespace {

void add_plan_options(CLI::App& command, ComputeOptions& compute, bool& json) {
  command.add_option("--memory-budget", compute.memory_budget,
                     "Resident memory the process may take, such as 1GiB or 80% (of what is free) [95%]");
  add_threads_option(command, compute.threads);
  add_precision_option(command, compute.precision);
  command.add_flag("--json", json, "Print JSON, a list of plans, instead of text");
}

void add_encoder_options(CLI::App& command, std::string& encoder, std::string& weights) {
  add_encoder_option(command, encoder);
  add_weights_option(command, weights);
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

/// A verb's plan: its request, and what is common to all plans. `add_options` adds the verb's own.
template <typename Request, typename AddOptions>
void add_plan(CLI::App& plan_command, Verbs& verbs, const char* name, const char* what,
              AddOptions add_options) {
  auto* const command = plan_command.add_subcommand(name, what);
  auto request = std::make_shared<Request>();
  auto json = std::make_shared<bool>(false);
  add_options(*command, *request);
  add_plan_options(*command, request->compute, *json);
  verbs.push_back({command, [command, request, json] {
                     if constexpr (std::is_same_v<Request, TrainRequest>) {
                       refuse_options_without_background(*command);
                     }
                     plan({*request}, *json);
                   }});
}

void add_encode_options(CLI::App& command, EncodeRequest& request) {
  add_molecule_options(command, request.molecules, request.smiles_column);
  add_encoder_options(command, request.encoder, request.weights);
  command.add_option("--batch-atoms", request.batch_atoms, "Atoms per batch; 0: chosen")
      ->capture_default_str();
}

void add_domain_options(CLI::App& command, DomainRequest& request) {
  command
      .add_option("TRAIN", request.training,
                  "Training molecules, or a folder that headroom domain --save made")
      ->required();
  command.add_option("CANDIDATES", request.candidates, "Candidates, a file")->required();
  command.add_option("--smiles-column", request.smiles_column, "Column of CANDIDATES that holds the SMILES")
      ->capture_default_str();
  command
      .add_option("--train-smiles-column", request.training_smiles_column,
                  "Column of TRAIN that holds the SMILES")
      ->capture_default_str();
  command.add_option("--method", request.method, "As of headroom domain [combined]");
  command.add_option("--page-rows", request.page_rows, "Candidates that the page lists")
      ->capture_default_str();
  command.add_option("--encoder", request.encoder,
                     "Encoder; the end of this text lists them [the first, or that of the saved folder]");
  command.footer(known_encoders);
  add_weights_option(command, request.weights);
}

void add_train_options(CLI::App& command, TrainRequest& request) {
  add_benchmark_options(command, request.benchmark, request.data_path);
  add_encoder_options(command, request.encoder, request.weights);
  add_training_step_options(command, request);
  add_draw_options(command, request);
  add_background_options(command, request);
}

void add_baseline_options(CLI::App& command, BaselineRequest& request) {
  add_benchmark_options(command, request.benchmark, request.data_path);
  add_encoder_options(command, request.encoder, request.weights);
  add_classifier_step_options(command, request);
  add_draw_options(command, request);
}

}  // namespace

void add_memory_plan(CLI::App& memory, Verbs& verbs) {
  auto* const command = memory.add_subcommand(
      "plan", "Say what a command would take, phase by phase, and what would be chosen within a budget");
  command->require_subcommand(1);
  add_plan<EncodeRequest>(*command, verbs, "encode", "Plan headroom encode", add_encode_options);
  add_plan<DomainRequest>(*command, verbs, "domain",
                          "Plan headroom domain: encoding, then comparing with the training molecules",
                          add_domain_options);
  add_plan<TrainRequest>(*command, verbs, "train", "Plan headroom train: encoding, then training the head",
                         add_train_options);
  add_plan<BaselineRequest>(*command, verbs, "baseline",
                            "Plan headroom baseline: encoding, then training the classifier",
                            add_baseline_options);
}

}  // namespace headroom::cli
