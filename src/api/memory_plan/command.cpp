#include "base/command_line/command.h"

#include <fmt/format.h>

#include "base/command_line/engine_loader.h"
#include "base/core/error.h"
#include "base/core/text/bytes.h"

namespace molgauge::cli {
namespace {

void print_plans(const std::vector<MemoryPlan>& plans, bool json) {
  std::string text;
  for (const MemoryPlan& plan : plans) {
    const char* const between = text.empty() ? "" : json ? "," : "\n";
    text += between + (json ? plan.json : plan.text);
  }
  fmt::print("{}{}{}", json ? "[" : "", text, json ? "]\n" : "");
}

/// Prints the plans of all phases. Throws Error with exit code 4 if a phase does not fit.
void run(const PlanMemoryRequest& request, bool json) {
  const std::vector<MemoryPlan> plans = load_engine().run(request);
  print_plans(plans, json);
  for (const MemoryPlan& phase : plans) {
    if (!phase.chosen) {
      throw Error(fmt::format("{} does not fit. Its tensors alone need {}", phase.work,
                              format_bytes(phase.smallest_budget_bytes)),
                  ExitCode::over_budget);
    }
  }
}

/// Adds `molgauge memory plan VERB`, with only those options of the verb that affect memory.
template <typename Request>
void plan(CLI::App& command, Verbs& verbs) {
  auto request = std::make_shared<Request>();
  auto wanted = std::make_shared<PlanMemoryRequest>();
  add_options_of_plan(command, options::mutable_view(*request));
  const auto json = add_json(command);
  if constexpr (std::is_same_v<Request, EncodeRequest>) {
    add_options(command, *wanted);
  }
  verbs.push_back({&command, [=, &command] {
                     refuse_options_without_effect(command, options::view(*request));
                     wanted->work = *request;
                     run(*wanted, *json);
                   }});
}

}  // namespace

template <>
std::vector<Command> commands<PlanMemoryRequest>() {
  return {{.name = "memory plan encode",
           .summary = "Plan molgauge encode",
           .add = plan<EncodeRequest>,
           .has_encoders = true},
          {.name = "memory plan domain",
           .summary = "Plan molgauge domain (encoding, then comparison with the training molecules)",
           .add = plan<DomainRequest>,
           .has_encoders = true},
          {.name = "memory plan predict", .summary = "Plan molgauge predict", .add = plan<PredictRequest>},
          {.name = "memory plan train",
           .summary = "Plan molgauge train (encoding, then training of the head)",
           .add = plan<TrainRequest>,
           .has_encoders = true},
          {.name = "memory plan baseline",
           .summary = "Plan molgauge baseline (encoding, then training of the classifier)",
           .add = plan<BaselineRequest>,
           .has_encoders = true},
          {.name = "memory plan pocket",
           .summary = "Plan molgauge pocket train",
           .add = plan<PocketTrainRequest>,
           .has_encoders = true}};
}

}  // namespace molgauge::cli
