#include "session/matrix/energy_cell.h"

#include <fmt/format.h>

#include "core/duration.h"
#include "memory/measure/host_memory.h"
#include "ood/head/tensor_scoring.h"
#include "ood/run/run_config.h"
#include "ood/run/run_results.h"
#include "ood/run/trainer.h"
#include "ood/run/training_summary.h"
#include "session/training/training_session.h"

namespace headroom::session {
namespace {

/// A phase of a run that shares its process with others: the peak is the process's.
PhaseReport phase_report(const char* name, double seconds) {
  PhaseReport report;
  report.phase = name;
  report.seconds = seconds;
  report.peak_host_memory_bytes = memory::peak_resident_bytes();
  return report;
}

matrix::HeadTraining describe(const ood::TrainingSummary& training, double test_loss) {
  return {.final_train_loss = training.final_train_loss,
          .final_validation_loss = training.final_validation_loss,
          .test_loss = test_loss,
          .mean_gradient_norm = training.mean_gradient_norm,
          .largest_gradient_norm = training.largest_gradient_norm,
          .convergence_rate = training.convergence_rate,
          .stability_score = training.stability_score};
}

}  // namespace

std::string energy_identity(const TrainRequest& request) {
  return fmt::format("energy {} epochs {} patience {}", ood::resume_identity(ood::training_options(request)),
                     request.epochs, request.patience);
}

matrix::CellResult run_energy_cell(const TrainRequest& request, const MatrixSides& sides,
                                   const std::string& features_identity, const CellPlan& plan,
                                   const std::filesystem::path& folder) {
  ood::TrainingOptions options = ood::training_options(request);
  options.log_epochs = false;
  options.way = plan.way.value();
  const at::Device device = sides.test_id.device();
  const auto width = static_cast<std::size_t>(sides.test_id.size(1));

  const Stopwatch training_time;
  const ood::TrainingResult trained = ood::train_energy_head(sides.training, options, folder);
  keep_validation_scores(folder, sides.training, options.eval_batch_size);
  datasets::write_trained_molecules(folder, sides.trained);
  ood::write_run_config(folder, {request, features_identity, width, {}, sides.shared_molecules});
  ood::RunCost cost{.device = device.str(),
                    .phases = {phase_report("train", training_time.seconds())},
                    .batch_size_planned = trained.batch_size_planned,
                    .batch_size_used = trained.batch_size_used,
                    .oom_recoveries = trained.oom_recoveries,
                    .plans = {plan.report}};
  ood::write_training_stats(folder, trained, cost);

  const Stopwatch evaluation_time;
  ood::EnergyHead head(ood::load_best_model(folder, width));
  head.to(device);
  auto evaluation = ood::evaluate_head(head, sides.test_id, sides.test_ood, options.eval_batch_size);
  evaluation.shared_molecules = sides.shared_molecules;
  evaluation.overlap_accepted = request.allow_overlap;
  evaluation.id_smiles = sides.test_id_smiles;
  evaluation.ood_smiles = sides.test_ood_smiles;
  const double eval_seconds = evaluation_time.seconds();
  cost.phases = {phase_report("eval", eval_seconds)};
  cost.batch_size_planned = evaluation.memory.planned;
  cost.batch_size_used = evaluation.memory.used;
  cost.oom_recoveries = evaluation.memory.recoveries;
  ood::write_evaluation(folder, evaluation, cost, csv_texts(request.spreadsheet_safe));
  const double test_loss = ood::validate_head(head, sides.test_id, sides.test_ood, options.loss,
                                              options.eval_batch_size, /*threads=*/1)
                               .loss;

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
          .eval_seconds = eval_seconds,
          .peak_host_memory_bytes = cost.phases.front().peak_host_memory_bytes,
          .head = describe(ood::summarize_training(trained.curve), test_loss),
          .remark = matrix::remark_of(/*collapsed=*/false, sides.shared_molecules)};
}

}  // namespace headroom::session
