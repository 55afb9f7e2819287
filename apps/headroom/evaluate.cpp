#include <fmt/format.h>

#include "engine_loader.h"
#include "print.h"
#include "verb.h"

namespace headroom::cli {
namespace {

void run(const EvaluateRequest& request) {
  const EvaluateReport report = load_engine().evaluate(request);
  print_failed(report.failed, report.failed_records);
  print_phases(report.phases);
  print_evaluation(report);
}

}  // namespace

void add_evaluate(CLI::App& app, Verbs& verbs) {
  auto request = std::make_shared<EvaluateRequest>();
  auto* const command = app.add_subcommand("evaluate", "Measure a run's best model on test molecules");
  add_model_options(*command, *request);
  command->add_option("--data", request->data,
                      "Test on all of another benchmark's iid_test and ood_test instead");
  add_data_path_option(*command, request->data_path);
  add_overlap_option(*command, request->allow_overlap);
  command->add_option("--out", request->out,
                      "Folder for the results [the run folder; for a Python run nothing is written]");
  add_spreadsheet_option(*command, request->spreadsheet_safe);
  add_compute_options(*command, request->compute);
  verbs.push_back({command, [request] { run(*request); }});
}

}  // namespace headroom::cli
