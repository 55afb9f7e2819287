#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/core/text/duration.h"
#include "base/memory/measure/host_memory.h"
#include "base/memory/plan/planner.h"
#include "base/numerics/torch/cpu_tensor_memory.h"
#include "base/options/identity.h"
#include "base/options/tables.h"
#include "molecules/ood/head/tensor_scoring.h"
#include "molecules/ood/metrics/metrics.h"
#include "molecules/ood/run/run_config.h"
#include "molecules/ood/run/run_results.h"
#include "molecules/ood/run/trainer.h"
#include "molecules/ood/run/training_plan.h"
#include "molecules/ood/run/training_summary.h"
#include "molecules/ood/run/validation_test_gap.h"
#include "molecules/verbs/experiment/cell_kind.h"
#include "molecules/verbs/experiment/matrix_requests.h"
#include "molecules/verbs/train/training_session.h"

namespace molgauge::verbs {
namespace {

using datasets::Side;

/// Reports a phase of a run. Parallel runs share the process, so the reported peak is the peak of the whole
/// process.
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

/// Returns a text of everything that affects the memory of training a head.
std::string memory_text(const ood::TrainingOptions& options, const MatrixSizes& sizes) {
  return fmt::format(
      "head {} {}", sizes.text(),
      options::plan_as_text(options::view(ood::request_of(options)), options::Section::method));
}

/// A run whose training has ended.
struct TrainedCell {
  ood::TrainingResult training;
  std::optional<MatrixSides> own;  ///< features of the trained encoder, if the run trains one
  std::string encoder_identity;
};

TrainedCell train_head(const CellRun& run, const ood::TrainingOptions& options) {
  return {ood::train_energy_head(run.sides.training, options, run.folder), std::nullopt,
          run.features_identity};
}

TrainedCell train_with_encoder(const CellOfMatrix& cell, const CellRun& run,
                               const ood::TrainingOptions& options) {
  const TunedMolecules& molecules = cell.tuning->of(cell.cell);
  const auto encoder = molecules.parts->trained->copy();
  encoder->to(molecules.device);
  TrainedCell trained;
  trained.training =
      ood::train_with_encoder(*encoder, molecules.training, molecules.identity, options, run.folder);
  trained.encoder_identity = take_best(*encoder, *molecules.parts, run.folder);
  const auto features = [&](const std::vector<std::int64_t>& numbers) {
    return encoder->features(numbers, /*threads=*/1);
  };
  // Only the validation and test sides are needed after the training.
  MatrixSides& own = trained.own.emplace(run.sides);
  own.training.val_id = features(molecules.training.val_id);
  own.training.val_ood = features(molecules.training.val_ood);
  own.test_id = features(molecules.test_id);
  own.test_ood = features(molecules.test_ood);
  return trained;
}

/// Trains energy heads, on fixed features or together with the last layers of the encoder. The folder of a
/// cell becomes an ordinary run folder, which `molgauge evaluate` and `molgauge score` accept.
class EnergyCells final : public CellKind {
 public:
  void require_valid(const experiment::Spec& spec, const matrix::Cell& cell) const override;
  bool trains_encoder(const experiment::Spec& spec, const matrix::Cell& cell) const override;
  std::string identity(const experiment::Spec& spec, const matrix::Cell& cell) const override;
  std::optional<double> pair_beta(const experiment::Spec& spec, const matrix::Cell& cell) const override;
  std::string memory_identity(const CellOfMatrix& cell, const MatrixSizes& sizes) const override;
  CellPlan plan(const CellOfMatrix& cell, const MatrixSizes& sizes, const CellRoom& room) const override;
  matrix::CellResult run(const CellOfMatrix& cell, const CellRun& run) override;
};

void EnergyCells::require_valid(const experiment::Spec& spec, const matrix::Cell& cell) const {
  train_request(spec, cell);
}

bool EnergyCells::trains_encoder(const experiment::Spec& spec, const matrix::Cell& cell) const {
  return train_request(spec, cell).finetune_encoder;
}

std::string EnergyCells::identity(const experiment::Spec& spec, const matrix::Cell& cell) const {
  const TrainRequest request = train_request(spec, cell);
  return fmt::format("energy {} {}", ood::resume_identity(ood::training_options(request)),
                     identity_as_text(options::view(request), options::Part::length));
}

std::optional<double> EnergyCells::pair_beta(const experiment::Spec& spec, const matrix::Cell& cell) const {
  const TrainRequest request = train_request(spec, cell);
  return request.loss == Loss::dpo ? std::optional(request.dpo_beta) : std::nullopt;
}

std::string EnergyCells::memory_identity(const CellOfMatrix& cell, const MatrixSizes& sizes) const {
  const ood::TrainingOptions options = ood::training_options(train_request(cell.spec, cell.cell));
  const std::string text = memory_text(options, sizes);
  return options.finetune_encoder
             ? fmt::format("{} {} {} {} trained but for {}", text, cell.cell.encoder, cell.cell.benchmark,
                           cell.cell.data_seed, options.freeze_layers)
             : text;
}

/// Plans a run within an equal share of the memory. If it does not fit, plans it within the whole memory.
CellPlan EnergyCells::plan(const CellOfMatrix& cell, const MatrixSizes& sizes, const CellRoom& room) const {
  const ood::TrainingOptions options = ood::training_options(train_request(cell.spec, cell.cell));
  const std::size_t test = sizes.of(Side::test_id) + sizes.of(Side::test_ood);
  const ood::TrainingSizes training{.width = sizes.width,
                                    .train_id = sizes.of(Side::train_id),
                                    .train_ood = sizes.of(Side::train_ood),
                                    .validation = sizes.of(Side::val_id) + sizes.of(Side::val_ood),
                                    .is_on_gpu = room.is_on_gpu};
  ood::TrainingPlan plan;
  for (const std::uint64_t budget : {room.bytes / room.jobs, room.bytes}) {
    if (!plan.report.chosen) {
      const ood::TensorBudget tensors{.budget_bytes = budget - std::min(budget, sizes.bytes(test)),
                                      .outside_bytes = torch::cpu_tensor_memory().allocated_bytes()};
      plan = options.finetune_encoder ? cell.tuning->plan(cell.cell, options, tensors)
                                      : ood::plan_training(options, training, /*threads=*/1, tensors);
    }
  }
  CellPlan planned;
  planned.size.own = options.finetune_encoder
                         ? memory::remaining_bytes(plan.report, /*living=*/0) + sizes.bytes(test)
                         : memory::remaining_bytes(plan.report, sizes.bytes(sizes.all() - test));
  planned.report = std::move(plan.report);
  planned.strategy = plan.strategy;
  return planned;
}

matrix::CellResult EnergyCells::run(const CellOfMatrix& cell, const CellRun& run) {
  TrainRequest request = train_request(cell.spec, cell.cell);
  request.benchmark = cell.benchmarks.file(cell.cell.benchmark);
  request.run = run.folder.string();
  request.spreadsheet_safe = run.spreadsheet_safe;
  request.placement = run.encoding.placement;
  request.compute.precision = run.encoding.compute.precision;
  request.compute.random_weights = run.encoding.compute.random_weights;
  const std::filesystem::path& folder = run.folder;
  ood::TrainingOptions options = ood::training_options(request);
  options.log_epochs = false;
  options.strategy = run.plan.strategy.value();

  const Stopwatch training_time;
  const TrainedCell ended =
      request.finetune_encoder ? train_with_encoder(cell, run, options) : train_head(run, options);
  const ood::TrainingResult& trained = ended.training;
  const MatrixSides& sides = ended.own ? *ended.own : run.sides;
  const at::Device device = sides.test_id.device();
  const auto width = static_cast<std::size_t>(sides.test_id.size(1));
  keep_validation_scores(folder, sides.training, options.eval_batch_size);
  datasets::write_trained_molecules(folder, sides.trained);
  ood::write_run_config(folder, {request, ended.encoder_identity, width, {}, sides.shared_molecules});
  memory::RunCost cost{.device = device.str(),
                       .phases = {phase_report("train", training_time.seconds())},
                       .batch_size_planned = trained.batch_size_planned,
                       .batch_size_used = trained.batch_size_used,
                       .oom_recoveries = trained.oom_recoveries,
                       .plans = {run.plan.report}};
  ood::write_training_stats(folder, trained, cost);

  const Stopwatch evaluation_time;
  ood::EnergyHead head(ood::load_best_model(folder, width));
  head.to(device);
  auto evaluation = ood::evaluate_head(head, sides.test_id, sides.test_ood, options.eval_batch_size);
  evaluation.shared_molecules = sides.shared_molecules;
  evaluation.overlap_accepted = request.allow_overlap;
  evaluation.id_smiles = sides.test_id_smiles;
  evaluation.ood_smiles = sides.test_ood_smiles;
  evaluation.gap = ood::find_gap(folder, evaluation.id_scores, evaluation.ood_scores);
  const double eval_seconds = evaluation_time.seconds();
  cost.phases = {phase_report("eval", eval_seconds)};
  cost.batch_size_planned = evaluation.memory.planned;
  cost.batch_size_used = evaluation.memory.used;
  cost.oom_recoveries = evaluation.memory.recoveries;
  ood::write_evaluation(folder, evaluation, cost, csv_texts(request.spreadsheet_safe));
  const double test_loss = ood::validate_head(head, sides.test_id, sides.test_ood, options.loss,
                                              options.eval_batch_size, /*threads=*/1)
                               .loss;

  const ood::DetectionMetrics id_positive =
      ood::id_positive_metrics(evaluation.id_scores, evaluation.ood_scores);
  return {.auroc = evaluation.metrics.auroc,
          .aupr = evaluation.metrics.aupr,
          .fpr95 = evaluation.metrics.fpr95,
          .validation_auroc = trained.best_auroc,
          .aupr_id_positive = id_positive.aupr,
          .fpr95_id_positive = id_positive.fpr95,
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

}  // namespace

std::unique_ptr<CellKind> energy_cells() { return std::make_unique<EnergyCells>(); }

}  // namespace molgauge::verbs
