#include "base/command_line/command.h"

#include <cmath>

#include <fmt/format.h>

#include "base/command_line/engine_loader.h"
#include "base/command_line/print.h"
#include "base/core/session/standard_streams.h"
#include "base/core/text/counted.h"
#include "base/page/text_table.h"
#include "molgauge/baseline.h"

namespace molgauge::cli {
namespace {

void print_classifiers(const BaselineReport& report) {
  for (const ClassifierReport& classifier : report.classifiers) {
    print_info("classifier ({}): best validation {} {:.4f} in epoch {} of {}{}{}\n", classifier.objective,
               classifier.selection, classifier.best_selection, classifier.best_epoch + 1,
               classifier.epochs_run, classifier.stopped_early ? " (stopped early)" : "",
               classifier.collapsed ? ". It predicts one label for all molecules" : "");
  }
  if (report.oom_recoveries > 0) {
    print_info("recovered {} from running out of memory\n", counted(report.oom_recoveries, "time"));
  }
}

void print_results(const BaselineReport& report) {
  page::TextTable table(
      {"method", "AUROC", "validation AUROC", "AUPR", "FPR95", "ID score", "OOD score", "seconds"});
  for (const BaselineResult& result : report.results) {
    table.add_row(
        {result.method + (result.classifier_collapsed ? " (collapsed)" : ""),
         fmt::format("{:.4f}", result.auroc),
         std::isnan(result.validation_auroc) ? "" : fmt::format("{:.4f}", result.validation_auroc),
         fmt::format("{:.4f}", result.aupr), fmt::format("{:.4f}", result.fpr95),
         fmt::format("{:.4f}", result.id_scores_mean), fmt::format("{:.4f}", result.ood_scores_mean),
         result.resumed ? "kept" : fmt::format("{:.2f}", result.fit_seconds + result.score_seconds)});
  }
  print_result("{}", table.to_string());
  print_info("OOD is the positive class of AUPR and FPR95\n");
}

void run(const BaselineRequest& request) {
  const BaselineReport report = load_engine().run(request);
  print_failed(report.failed, report.failed_records);
  print_phases(report.phases);
  print_classifiers(report);
  print_results(report);
}

}  // namespace

template <>
std::vector<Command> commands<BaselineRequest>() {
  return {{.name = "baseline",
           .summary = "Train a classifier of the labels and evaluate published OOD detectors on it",
           .add = runs<BaselineRequest>(run),
           .ending = "--device selects the device of the encoder. Classifiers and methods run on the CPU.",
           .has_encoders = true}};
}

}  // namespace molgauge::cli
