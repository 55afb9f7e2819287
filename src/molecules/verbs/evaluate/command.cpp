#include "base/command_line/command.h"

#include <fmt/format.h>

#include "base/command_line/engine_loader.h"
#include "base/command_line/print.h"

namespace molgauge::cli {
namespace {

void run(const EvaluateRequest& request) {
  const EvaluateReport report = load_engine().run(request);
  print_failed(report.failed, report.failed_records);
  print_phases(report.phases);
  print_evaluation(report);
}

}  // namespace

template <>
std::vector<Command> commands<EvaluateRequest>() {
  return {{.name = "evaluate",
           .summary = "Evaluate the best model of a run on test molecules",
           .add = runs<EvaluateRequest>(run)}};
}

}  // namespace molgauge::cli
