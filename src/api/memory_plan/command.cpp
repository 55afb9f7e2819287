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

}  // namespace

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

}  // namespace molgauge::cli
