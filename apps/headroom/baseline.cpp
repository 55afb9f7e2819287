#include "headroom/baseline.h"

#include <fmt/format.h>

#include "core/counted.h"
#include "core/error.h"
#include "core/standard_streams.h"
#include "engine_loader.h"
#include "headroom/baseline_options.h"
#include "page/text_table.h"
#include "print.h"
#include "verb.h"

namespace headroom::cli {
namespace {

void add_classifier_options(CLI::App& command, BaselineRequest& request) {
  command.add_option("--dropout", request.dropout, "After each hidden layer, in [0, 1)")
      ->capture_default_str();
  command.add_option("--lr", request.learning_rate, "Adam's learning rate")->capture_default_str();
  command.add_option("--weight-decay", request.weight_decay, "L2 penalty of the parameters")
      ->capture_default_str();
  command.add_option("--epochs", request.epochs, "At most so many passes over the training molecules")
      ->capture_default_str();
  command
      .add_option("--patience", request.patience,
                  "Stop after so many epochs without a better validation accuracy (dam: AUROC)")
      ->capture_default_str();
  command
      .add_option("--eval-batch-size", request.eval_batch_size,
                  "Molecules scored at a time by each thread; scores do not depend on it")
      ->capture_default_str();
  command.add_option("--seed", request.seed, "Of weights, order and dropout")->capture_default_str();
}

void add_method_options(CLI::App& command, BaselineRequest& request) {
  command.add_option("--odin-temperature", request.odin_temperature, "odin: divides the logits")
      ->capture_default_str();
  command.add_option("--odin-noise", request.odin_noise, "odin: how far features are moved")
      ->capture_default_str();
  command.add_option("--knn-k", request.knn_k, "knn: nearest training molecules looked at")
      ->capture_default_str();
  command.add_option("--lof-neighbors", request.lof_neighbors, "lof: likewise")->capture_default_str();
  command.add_option("--mc-dropout-samples", request.mc_dropout_samples, "mc_dropout: passes with dropout")
      ->capture_default_str();
  command.add_option("--mc-dropout-metric", request.mc_dropout_metric, "mc_dropout: entropy or variance")
      ->capture_default_str()
      ->check(CLI::IsMember({"entropy", "variance"}));
  command.add_option("--dam-lr", request.dam_learning_rate, "dam_msp, dam_energy: PESG's learning rate")
      ->capture_default_str();
  command.add_option("--dam-margin", request.dam_margin, "dam_msp, dam_energy: margin of the AUC loss")
      ->capture_default_str();
  command
      .add_option("--metrics", request.metrics,
                  "evaluation: as for energy models; baseline: AUPR and FPR95 of the Python program's "
                  "baseline tables")
      ->capture_default_str()
      ->check(CLI::IsMember({"evaluation", "baseline"}));
}

/// An option that no chosen method looks at is a mistake, not a preference.
void refuse_options_without_effect(const CLI::App& command, const std::string& method) {
  for (const PartialOption& option : kPartialOptions) {
    const std::string name = fmt::format("--{}", option.name);
    const auto why = why_without_effect(option.name, method);
    if (command.count(name) > 0 && !why.empty()) {
      throw UsageError(fmt::format("{} has no effect with --method {}: {}", name, method, why));
    }
  }
}

void print_classifiers(const BaselineReport& report) {
  for (const ClassifierReport& classifier : report.classifiers) {
    tell("classifier ({}): best validation {} {:.4f} in epoch {} of {}{}{}\n", classifier.objective,
         classifier.selection, classifier.best_selection, classifier.best_epoch + 1, classifier.epochs_run,
         classifier.stopped_early ? " (stopped early)" : "",
         classifier.collapsed ? "; it collapsed to one label" : "");
  }
  if (report.oom_recoveries > 0) {
    tell("memory ran out {}; the work was done after all\n", counted(report.oom_recoveries, "time"));
  }
}

void print_results(const BaselineReport& report) {
  page::TextTable table({"method", "AUROC", "AUPR", "FPR95", "ID score", "OOD score", "seconds"});
  for (const BaselineResult& result : report.results) {
    table.add_row(
        {result.method + (result.classifier_collapsed ? " (collapsed)" : ""),
         fmt::format("{:.4f}", result.auroc), fmt::format("{:.4f}", result.aupr),
         fmt::format("{:.4f}", result.fpr95), fmt::format("{:.4f}", result.id_scores_mean),
         fmt::format("{:.4f}", result.ood_scores_mean),
         result.resumed ? "kept" : fmt::format("{:.2f}", result.fit_seconds + result.score_seconds)});
  }
  print_result("{}", table.to_string());
}

void run(const BaselineRequest& request) {
  const BaselineReport report = load_engine().baseline(request);
  print_failed(report.failed, report.failed_records);
  print_phases(report.phases);
  print_classifiers(report);
  print_results(report);
}

}  // namespace

void add_baseline(CLI::App& app, Verbs& verbs) {
  auto request = std::make_shared<BaselineRequest>();
  auto restart = std::make_shared<bool>(false);
  auto* const command = app.add_subcommand(
      "baseline", "Score a benchmark with the usual baselines on a classifier of its labels");
  add_benchmark_options(*command, request->benchmark, request->data_path);
  command->add_option("--run", request->run, "Run folder; finished methods in it are kept")->required();
  add_encoder_option(*command, request->encoder,
                     "--device is the encoder's; classifiers and methods are computed on the CPU.");
  add_features_option(*command, request->features);
  command->add_flag("--restart", *restart, "Begin anew even if the run folder holds a run");
  add_classifier_step_options(*command, *request);
  add_classifier_options(*command, *request);
  add_method_options(*command, *request);
  add_draw_options(*command, *request);
  add_strict_option(*command, request->strict);
  add_spreadsheet_option(*command, request->spreadsheet_safe);
  add_home_options(*command, request->store, request->weights);
  add_compute_options(*command, request->compute);
  verbs.push_back({command, [=] {
                     refuse_options_without_effect(*command, request->method);
                     request->resume = !*restart;
                     run(*request);
                   }});
}

}  // namespace headroom::cli
