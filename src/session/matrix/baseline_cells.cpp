#include "session/matrix/baseline_cells.h"

#include <fmt/format.h>

#include "baselines/classifier/benchmark_labels.h"
#include "baselines/run/request_options.h"
#include "memory/measure/host_memory.h"
#include "ood/run/run_results.h"

namespace headroom::session {
namespace {

/// What a classifier depends on besides its data.
std::string classifier_identity(const BaselineRequest& request, baselines::ObjectiveKind objective) {
  std::string text = fmt::format(
      "{} labels {} hidden {} layers {} dropout {} lr {} weight-decay {} epochs {} batch {} patience {} "
      "calibration {} "
      "seed {}",
      to_string(objective), request.labels, request.hidden_channels, request.num_layers, request.dropout,
      request.learning_rate, request.weight_decay, request.epochs, request.batch_size, request.patience,
      request.calibration, request.seed);
  if (objective == baselines::ObjectiveKind::auc_margin) {
    text += fmt::format(" dam-lr {} margin {}", request.dam_learning_rate, request.dam_margin);
  }
  return text;
}

/// Classifiers and detectors compute on the CPU, also where the energy heads of the matrix do not. There it
/// is no copy.
at::Tensor on_host(const at::Tensor& features) { return features.to(at::kCPU); }

}  // namespace

std::string baseline_identity(const BaselineRequest& request) {
  return fmt::format("{} {} odin {} {} knn {} lof {} mc {} {} metrics {}", request.method,
                     classifier_identity(request, baselines::objective_of(request.method)),
                     request.odin_temperature, request.odin_noise, request.knn_k, request.lof_neighbors,
                     request.mc_dropout_samples, request.mc_dropout_metric, request.metrics);
}

std::shared_ptr<BaselineCells::Trained> BaselineCells::entry(const std::string& identity) {
  const std::lock_guard lock(mutex_);
  auto& entry = trained_[identity];
  if (!entry) {
    entry = std::make_shared<Trained>();
  }
  return entry;
}

matrix::CellResult BaselineCells::run(const BaselineRequest& request, const MatrixSides& sides,
                                      const baselines::BaselineIdentity& identity,
                                      const std::filesystem::path& folder) {
  const auto objective = baselines::objective_of(request.method);
  auto labels =
      baselines::benchmark_labels(baselines::parse_label_choice(request.labels), sides.train_molecules,
                                  sides.validation_molecules, request.benchmark);
  BaselineData data =
      share_validation({sides.train_features, std::move(labels.train)},
                       {sides.validation_features, std::move(labels.validation)}, on_host(sides.test_id),
                       on_host(sides.test_ood), baselines::holds_out_calibration(request));
  data.validation_id = sides.validation_features;
  data.validation_ood = on_host(sides.training.val_ood);
  const auto trained = entry(identity.data + " " + classifier_identity(request, objective));
  {
    const std::lock_guard lock(trained->mutex);
    if (!trained->classifier) {
      TrainedForBaselines fresh = train_for_baselines(request, objective, data, {});
      trained->report = std::move(fresh.report);
      trained->classifier = std::make_shared<baselines::Classifier>(std::move(fresh.classifier));
    }
  }
  MethodScores scores = apply_method(request, request.method, {trained->classifier, data.train.labels.kind},
                                     trained->report.collapsed, data);
  scores.result.shared_molecules = sides.shared_molecules;
  baselines::write_config(folder, request, identity);
  baselines::write_method(folder, scores.result, request.metrics, scores.id, scores.ood);
  ood::Evaluation predictions;
  predictions.id_scores = scores.id;
  predictions.ood_scores = scores.ood;
  predictions.id_smiles = sides.test_id_smiles;
  predictions.ood_smiles = sides.test_ood_smiles;
  ood::write_predictions(folder / "detailed_predictions.csv", predictions,
                         csv_texts(request.spreadsheet_safe));
  const BaselineResult& result = scores.result;
  return {.auroc = result.auroc,
          .aupr = result.aupr,
          .fpr95 = result.fpr95,
          .validation_auroc = scores.validation_auroc,
          .id_count = result.id_count,
          .ood_count = result.ood_count,
          .id_mean_score = result.id_scores_mean,
          .ood_mean_score = result.ood_scores_mean,
          .epochs_run = trained->report.epochs_run,
          .best_epoch = trained->report.best_epoch,
          .train_seconds = trained->report.seconds,
          .eval_seconds = result.fit_seconds + result.score_seconds,
          .peak_host_memory_bytes = memory::peak_resident_bytes(),
          .head = {},
          .remark = matrix::remark_of(result.classifier_collapsed, result.shared_molecules)};
}

}  // namespace headroom::session
