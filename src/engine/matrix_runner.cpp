#include "engine/matrix_runner.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/duration.h"
#include "core/error.h"
#include "experiment/energy_options.h"
#include "memory/host_memory.h"
#include "ood/evaluation.h"
#include "ood/run_config.h"
#include "ood/run_results.h"
#include "ood/trainer.h"
#include "ops/operator_threads.h"

namespace headroom::verbs {
namespace {

std::size_t line_of_method(const experiment::Spec& spec, const std::string& name) {
  const auto method = std::find_if(spec.methods.begin(), spec.methods.end(),
                                   [&](const auto& candidate) { return candidate.name == name; });
  return method == spec.methods.end() ? 0 : method->line;
}

/// A phase of a run that shares its process with others: the peak is the process's.
PhaseReport phase_report(const char* name, double seconds) {
  return {.phase = name, .seconds = seconds, .peak_host_memory_bytes = memory::peak_resident_bytes()};
}

}  // namespace

TrainRequest train_request(const experiment::Spec& spec, const experiment::Cell& cell,
                           const std::string& benchmark_file) {
  TrainRequest request;
  request.benchmark = benchmark_file;
  request.encoder = cell.encoder;
  request.seed = cell.seed;
  request.data_seed = cell.data_seed;
  request.train_size = spec.train_size;
  request.val_size = spec.val_size;
  request.test_size = spec.test_size;
  request.compute.quiet = true;
  try {
    for (const auto& [name, value] : cell.options) {
      experiment::set_energy_option(request, name, value);
    }
    ood::training_options(request);
  } catch (const UsageError& problem) {
    throw InputError(fmt::format("{}:{}: method '{}': {}", spec.file, line_of_method(spec, cell.method),
                                 cell.method, problem.what()));
  }
  return request;
}

std::string MatrixRunner::identity(const experiment::Cell& cell) {
  const TrainRequest request = train_request(spec_, cell, benchmarks_.file(cell.benchmark));
  return fmt::format("energy {} epochs {} patience {} sizes {} {} {} data-seed {} benchmark {} features {}\n",
                     ood::resume_identity(ood::training_options(request)), request.epochs, request.patience,
                     spec_.train_size, spec_.val_size, spec_.test_size, cell.data_seed,
                     benchmarks_.identity(cell.benchmark), features_.identity(cell.encoder));
}

experiment::CellResult MatrixRunner::run(const experiment::Cell& cell, const std::filesystem::path& folder) {
  ops::join_operator_threads();
  const auto sides = features_.of(cell);
  TrainRequest request = train_request(spec_, cell, benchmarks_.file(cell.benchmark));
  request.run = folder.string();
  ood::TrainingOptions options = ood::training_options(request);
  options.log_epochs = false;

  const Stopwatch training_time;
  const ood::TrainingResult trained = ood::train_energy_head(sides->training, options, folder);
  const std::size_t width = features_.width(cell.encoder);
  ood::write_run_config(folder, {request, features_.identity(cell.encoder), width});
  ood::RunCost cost{.device = device_.str(),
                    .phases = {phase_report("train", training_time.seconds())},
                    .batch_size_planned = options.batch_size,
                    .batch_size_used = options.batch_size};
  ood::write_training_stats(folder, trained, cost);

  const Stopwatch evaluation_time;
  ood::EnergyHead head = ood::load_best_model(folder, width);
  head.to(device_);
  auto evaluation = ood::evaluate_head(head, sides->test_id, sides->test_ood, options.eval_batch_size);
  evaluation.id_smiles = sides->test_id_smiles;
  evaluation.ood_smiles = sides->test_ood_smiles;
  cost.phases = {phase_report("eval", evaluation_time.seconds())};
  ood::write_evaluation(folder, evaluation, cost);

  return {.auroc = evaluation.metrics.auroc,
          .aupr = evaluation.metrics.aupr,
          .fpr95 = evaluation.metrics.fpr95,
          .validation_auroc = trained.best_auroc,
          .id_count = evaluation.id_scores.size(),
          .ood_count = evaluation.ood_scores.size(),
          .id_mean_score = evaluation.id.mean,
          .ood_mean_score = evaluation.ood.mean,
          .epochs_run = trained.epochs_run,
          .best_epoch = trained.best_epoch,
          .train_seconds = trained.train_time_seconds,
          .eval_seconds = evaluation_time.seconds(),
          .peak_host_memory_bytes = cost.phases.front().peak_host_memory_bytes,
          .remark = ""};
}

}  // namespace headroom::verbs
