#include <fmt/format.h>

#include "core/counted.h"
#include "core/error.h"
#include "core/standard_streams.h"
#include "engine_loader.h"
#include "print.h"
#include "verb.h"

namespace headroom::cli {
namespace {

void add_loss_options(CLI::App& command, TrainRequest& request) {
  command
      .add_option("--loss", request.loss, "dpo (pairwise preference), bce, mse or hinge (pairwise margin)")
      ->capture_default_str()
      ->check(CLI::IsMember({"dpo", "bce", "mse", "hinge"}));
  command.add_option("--dpo-beta", request.dpo_beta, "dpo: inverse temperature of a pair")
      ->capture_default_str();
  command
      .add_option("--hinge-margin", request.hinge_margin,
                  "hinge: energy an OOD molecule must lie above an ID one")
      ->capture_default_str();
  command
      .add_option("--hinge-topk", request.hinge_topk,
                  "hinge: share of the hardest pairs kept, in (0, 1]; 0: all")
      ->capture_default_str();
  command.add_flag("--hinge-squared", request.hinge_squared, "hinge: square each pair's value");
  command.add_option("--lambda-reg", request.lambda_reg, "Weight of the squared energies")
      ->capture_default_str();
}

void add_training_options(CLI::App& command, TrainRequest& request) {
  command.add_option("--dropout", request.dropout, "After each hidden layer, in [0, 1)")
      ->capture_default_str();
  command.add_option("--epochs", request.epochs, "At most so many passes over the training pairs")
      ->capture_default_str();
  command.add_option("--lr", request.learning_rate, "AdamW's learning rate; times 0.9 every 10 epochs")
      ->capture_default_str();
  command.add_option("--weight-decay", request.weight_decay, "AdamW's decoupled decay")
      ->capture_default_str();
  command.add_option("--grad-clip", request.grad_clip, "Largest norm of the gradient; 0: no clipping")
      ->capture_default_str();
  command
      .add_option("--eval-steps", request.eval_steps,
                  "Also validate every so many steps; 0: at epoch ends only")
      ->capture_default_str();
  command
      .add_option("--patience", request.patience,
                  "Stop after so many epochs without a better validation AUROC")
      ->capture_default_str();
  command
      .add_option(
          "--early-stopping", request.early_stopping,
          "plain, or reference: the Python program's counter, which stops one epoch sooner after a gain")
      ->capture_default_str()
      ->check(CLI::IsMember({"plain", "reference"}));
  command.add_option("--seed", request.seed, "Of weights, dropout and training pairs")->capture_default_str();
  command
      .add_option("--seeds", request.seeds,
                  "So many runs, of --seed and those after it; score takes their mean and shows their spread")
      ->capture_default_str();
}

/// An option that has no effect with the chosen loss is a mistake, not a preference.
void refuse_options_without_effect(const CLI::App& command, const std::string& loss) {
  const auto refuse = [&](const char* option, const char* needed) {
    if (command.count(option) > 0 && loss != needed) {
      throw UsageError(
          fmt::format("{} has no effect with --loss {}; it belongs to --loss {}", option, loss, needed));
    }
  };
  refuse("--dpo-beta", "dpo");
  refuse("--hinge-margin", "hinge");
  refuse("--hinge-topk", "hinge");
  refuse("--hinge-squared", "hinge");
  refuse_options_without_background(command);
  for (const char* option : {"--train-size", "--val-size", "--test-size", "--debug-dataset-size",
                             "--dataset-type", "--held-out-seed"}) {
    if (command.count(option) > 0 && command.count("--splits-cache") > 0) {
      throw UsageError(fmt::format("{} has no effect with --splits-cache: nothing is drawn", option));
    }
  }
}

void run(const TrainRequest& request) {
  const TrainReport report = load_engine().train(request);
  print_failed(report.failed, report.failed_records);
  print_phases(report.phases);
  if (report.oom_recoveries > 0) {
    tell("memory ran out {}; the work was done in smaller parts, {} of {} items at once\n",
         counted(report.oom_recoveries, "time"), report.batch_size_used, report.batch_size_planned);
  }
  if (!report.seeds.empty()) {
    for (const SeedReport& seed : report.seeds) {
      print_result("seed {}: best validation AUROC {:.4f} in epoch {} of {}\n", seed.seed, seed.best_auroc,
                   seed.best_epoch + 1, seed.epochs_run);
    }
    print_result("{}: validation AUROC {:.4f} of the mean energy of {}{}\n", request.run, report.best_auroc,
                 counted(report.seeds.size(), "seed"), report.resumed ? " (resumed)" : "");
    return;
  }
  print_result("{}: best validation AUROC {:.4f} in epoch {} of {}{}{}\n", request.run, report.best_auroc,
               report.best_epoch + 1, report.epochs_run, report.stopped_early ? " (stopped early)" : "",
               report.resumed ? " (resumed)" : "");
}

}  // namespace

void add_train(CLI::App& app, Verbs& verbs) {
  auto request = std::make_shared<TrainRequest>();
  auto restart = std::make_shared<bool>(false);
  auto* const command =
      app.add_subcommand("train", "Train an energy head that tells in- from out-of-distribution");
  add_benchmark_options(*command, request->benchmark, request->data_path);
  command->add_option("--run", request->run, "Run folder; an unfinished run in it is continued")->required();
  add_encoder_option(*command, request->encoder);
  add_features_option(*command, request->features);
  command->add_flag("--restart", *restart, "Begin anew even if the run folder holds a run");
  add_loss_options(*command, *request);
  add_training_options(*command, *request);
  add_training_step_options(*command, *request);
  add_draw_options(*command, *request);
  command->add_option("--splits-cache", request->splits_cache,
                      "The Python project's cache of drawn molecules (JSON): use these, draw none");
  add_background_options(*command, *request);
  command->get_option("--ood")->excludes(command->get_option("--splits-cache"));
  add_strict_option(*command, request->strict);
  add_spreadsheet_option(*command, request->spreadsheet_safe);
  add_home_options(*command, request->store, request->weights);
  add_compute_options(*command, request->compute);
  verbs.push_back({command, [=] {
                     refuse_options_without_effect(*command, request->loss);
                     request->resume = !*restart;
                     run(*request);
                   }});
}

}  // namespace headroom::cli
