#include <fmt/format.h>

#include "engine_loader.h"
#include "print.h"
#include "table_options.h"
#include "verb.h"

namespace headroom::cli {
namespace {

void run(const EvaluateRequest& request) {
  const EvaluateReport report = load_engine().run(request);
  print_failed(report.failed, report.failed_records);
  print_phases(report.phases);
  print_evaluation(report);
}

}  // namespace

void add_evaluate(CLI::App& app, Verbs& verbs) {
  auto request = std::make_shared<EvaluateRequest>();
  auto* const command = app.add_subcommand("evaluate", "Measure a run's best model on test molecules");
  add_options(*command, *request);
  verbs.push_back({command, [request] { run(*request); }});
}

}  // namespace headroom::cli
