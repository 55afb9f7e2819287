#include <fmt/format.h>

#include "core/bytes.h"
#include "core/error.h"
#include "engine_loader.h"
#include "table_options.h"
#include "verb.h"

namespace headroom::cli {
namespace {

void print_plans(const std::vector<MemoryPlan>& plans, bool json) {
  std::string text;
  for (const MemoryPlan& plan : plans) {
    const char* const between = text.empty() ? "" : json ? "," : "\n";
    text += between + (json ? plan.json : plan.text);
  }
  fmt::print("{}{}{}", json ? "[" : "", text, json ? "]\n" : "");
}

/// Prints all plans; then exits with code 4 where a phase does not fit.
void plan(const PlanMemoryRequest& request, bool json) {
  const std::vector<MemoryPlan> plans = load_engine().run(request);
  print_plans(plans, json);
  for (const MemoryPlan& phase : plans) {
    if (!phase.chosen) {
      throw Error(fmt::format("{} does not fit; for tensors alone it takes {}", phase.work,
                              format_bytes(phase.smallest_budget_bytes)),
                  ExitCode::over_budget);
    }
  }
}

/// Adds the subcommand for a verb, with those of the verb's options that its memory depends on.
template <typename Request>
void add_plan(CLI::App& plan_command, Verbs& verbs, const char* name, const char* what) {
  auto* const command = plan_command.add_subcommand(name, what);
  auto request = std::make_shared<Request>();
  auto json = std::make_shared<bool>(false);
  add_options_of_plan(*command, options::mutable_view(*request));
  command->add_flag("--json", *json, "Print JSON, a list of plans, instead of text");
  auto wanted = std::make_shared<PlanMemoryRequest>();
  if constexpr (std::is_same_v<Request, EncodeRequest>) {
    add_options(*command, *wanted);
  }
  end_with_encoders(*command);
  verbs.push_back({command, [command, request, json, wanted] {
                     refuse_options_without_effect(*command, options::view(*request));
                     wanted->work = *request;
                     plan(*wanted, *json);
                   }});
}

}  // namespace

void add_memory_plan(CLI::App& memory, Verbs& verbs) {
  auto* const command = memory.add_subcommand(
      "plan", "Say what a command would take, phase by phase, and what would be chosen within a budget");
  command->require_subcommand(1);
  add_plan<EncodeRequest>(*command, verbs, "encode", "Plan headroom encode");
  add_plan<DomainRequest>(*command, verbs, "domain",
                          "Plan headroom domain: encoding, then comparing with the training molecules");
  add_plan<TrainRequest>(*command, verbs, "train", "Plan headroom train: encoding, then training the head");
  add_plan<BaselineRequest>(*command, verbs, "baseline",
                            "Plan headroom baseline: encoding, then training the classifier");
  add_plan<PocketTrainRequest>(*command, verbs, "pocket", "Plan headroom pocket train");
}

}  // namespace headroom::cli
