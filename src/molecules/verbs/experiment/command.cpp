#include "base/command_line/command.h"

#include <fmt/format.h>

#include "base/command_line/engine_loader.h"
#include "base/command_line/print.h"
#include "base/core/error.h"
#include "base/core/session/standard_streams.h"
#include "base/core/text/counted.h"
#include "base/page/text_table.h"

namespace molgauge::cli {
namespace {

std::string with_deviation(const MeanAndDeviation& value) {
  return fmt::format("{:.4f} ± {:.4f}", value.mean, value.standard_deviation);
}

void print_rows(const std::vector<ExperimentRow>& rows) {
  page::TextTable table(
      {"benchmark", "encoder", "method", "runs", "AUROC", "validation AUROC", "AUPR", "FPR95"});
  for (const auto& row : rows) {
    const bool any = row.runs > 0;
    table.add_row({row.benchmark, row.encoder, row.variant, std::to_string(row.runs),
                   any ? with_deviation(row.auroc) : "failed",
                   any ? with_deviation(row.validation_auroc) : "", any ? with_deviation(row.aupr) : "",
                   any ? with_deviation(row.fpr95) : ""});
  }
  print_result("{}", table.to_string());
  print_info("OOD is the positive class of AUPR and FPR95\n");
}

void run(const ExperimentRequest& request) {
  const ExperimentReport report = load_engine().run(request);
  if (request.plan_only) {
    print_result("{}: {}. The specification and its benchmarks are valid\n", request.spec,
                 counted(report.runs, "run"));
    return;
  }
  print_failed(report.failed_molecules, report.failed_records);
  print_phases(report.phases);
  print_rows(report.rows);
  print_result(
      "{}: {}, {} computed now, {} failed. The tables are in cells.csv, summary.csv and significance.csv\n",
      request.out, counted(report.runs, "run"), report.computed, report.failed);
  if (report.failed > 0) {
    const bool all_over_budget = report.over_budget == report.failed;
    throw Error(fmt::format("{} of {} {}. {}/cells.csv lists the errors. The same command{} runs them again",
                            report.failed, counted(report.runs, "run"),
                            all_over_budget ? "do not fit the memory budget" : "failed", request.out,
                            all_over_budget ? " with a larger budget" : ""),
                all_over_budget ? ExitCode::over_budget : ExitCode::failed);
  }
}

}  // namespace

template <>
std::vector<Command> commands<ExperimentRequest>() {
  return {{.name = "experiment",
           .summary = "Run or resume a matrix of benchmarks, encoders, methods and seeds",
           .add = runs<ExperimentRequest>(run)}};
}

}  // namespace molgauge::cli
