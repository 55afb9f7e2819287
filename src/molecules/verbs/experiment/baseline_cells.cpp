#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/memory/measure/host_memory.h"
#include "base/memory/plan/planner.h"
#include "base/numerics/torch/cpu_tensor_memory.h"
#include "base/options/identity.h"
#include "base/options/tables.h"
#include "molecules/baselines/classifier/classifier_plan.h"
#include "molecules/baselines/detectors/methods.h"
#include "molecules/baselines/run/baseline_run.h"
#include "molecules/baselines/run/request_options.h"
#include "molecules/baselines/run/stored_detector.h"
#include "molecules/ood/metrics/metrics.h"
#include "molecules/ood/run/run_results.h"
#include "molecules/verbs/baseline/baseline_data.h"
#include "molecules/verbs/baseline/baseline_method.h"
#include "molecules/verbs/experiment/cell_kind.h"
#include "molecules/verbs/experiment/matrix_requests.h"
#include "molecules/verbs/train/training_needs.h"
#include "molecules/verbs/train/training_session.h"
#include "molgauge/baseline.h"

namespace molgauge::verbs {
namespace {

using datasets::Side;

using Objective = std::optional<baselines::ObjectiveKind>;

/// Returns a text of the options that determine a classifier, or that divide the molecules of a method
/// without a classifier. The data are not included.
std::string classifier_identity(const BaselineRequest& request, const Objective& objective) {
  if (!objective) {
    return fmt::format("calibration {}", to_string(request.calibration));
  }
  std::string text = fmt::format("{} {}", to_string(*objective),
                                 identity_as_text(options::view(request), options::Part::classifier));
  if (objective == baselines::ObjectiveKind::auc_margin) {
    text += " " + identity_as_text(options::view(request), options::Part::auc_margin);
  }
  return text;
}

/// Returns the features on the CPU, and copies them only if needed. Classifiers and detectors compute on the
/// CPU, even if the energy heads of the matrix use a GPU.
at::Tensor on_host(const at::Tensor& features) { return features.to(at::kCPU); }

std::string memory_text(const BaselineRequest& request, const matrix::Cell& cell) {
  return fmt::format("baseline {} {} {} {} {}", cell.encoder, cell.benchmark, cell.data_seed, request.method,
                     options::plan_as_text(options::view(request), options::Section::method));
}

/// Runs the baselines of a matrix. Methods with the same classifier share it. The first cell trains the
/// classifier, and other cells with this classifier wait. The folder of a cell is a folder of `molgauge
/// baseline` with this method only, and `molgauge score` accepts it. The folder also contains
/// detailed_predictions.csv.
class BaselineCells final : public CellKind {
 public:
  void require_valid(const experiment::Spec& spec, const matrix::Cell& cell) const override;
  void require_sufficient(const CellOfMatrix& cell) const override;
  std::string identity(const experiment::Spec& spec, const matrix::Cell& cell) const override;
  std::string memory_identity(const CellOfMatrix& cell, const MatrixSizes& sizes) const override;
  CellPlan plan(const CellOfMatrix& cell, const MatrixSizes& sizes, const CellRoom& room) const override;
  matrix::CellResult run(const CellOfMatrix& cell, const CellRun& run) override;

 private:
  struct Trained {
    std::mutex mutex;
    std::shared_ptr<baselines::Classifier> classifier;  ///< null until it is trained
    ClassifierReport report;
  };
  std::shared_ptr<Trained> entry(const std::string& identity);

  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Trained>> trained_;  ///< all classifiers stay in memory, because each
                                                             ///< has only 200 KB
};

void BaselineCells::require_valid(const experiment::Spec& spec, const matrix::Cell& cell) const {
  baseline_request(spec, cell);
}

void BaselineCells::require_sufficient(const CellOfMatrix& cell) const {
  const BaselineRequest request = baseline_request(cell.spec, cell.cell);
  try {
    verbs::require_sufficient(request, {request.method}, cell.drawn(),
                              cell.benchmarks.file(cell.cell.benchmark));
  } catch (const InputError& problem) {
    throw InputError(
        fmt::format("{} on '{}': {}", place_of(cell.spec, cell.cell), cell.cell.benchmark, problem.what()));
  }
}

std::string BaselineCells::identity(const experiment::Spec& spec, const matrix::Cell& cell) const {
  const BaselineRequest request = baseline_request(spec, cell);
  return fmt::format("{} {} {}", request.method,
                     classifier_identity(request, baselines::objective_of(request.method)),
                     identity_as_text(options::view(request), options::Part::detector));
}

std::string BaselineCells::memory_identity(const CellOfMatrix& cell, const MatrixSizes& /*sizes*/) const {
  return memory_text(baseline_request(cell.spec, cell.cell), cell.cell);
}

CellPlan BaselineCells::plan(const CellOfMatrix& cell, const MatrixSizes& sizes, const CellRoom& room) const {
  const BaselineRequest request = baseline_request(cell.spec, cell.cell);
  const datasets::OodBenchmark& drawn = cell.drawn();
  const auto labels = labels_for(request, {request.method}, drawn.train_id, drawn.val_id,
                                 cell.benchmarks.file(cell.cell.benchmark));
  baselines::ClassifierSizes classifier{
      .width = sizes.width,
      .outputs = static_cast<std::size_t>(labels.train.outputs),
      .training = sizes.of(Side::train_id),
      .validation = selection_size(sizes.of(Side::val_id), baselines::holds_out_calibration(request)),
      .feature_bytes = sizes.bytes(sizes.all())};
  if (baselines::trains_on_ood(request.method)) {
    // The method trains on ID and OOD molecules, so their features are copied into one tensor.
    classifier.training += sizes.of(Side::train_ood);
    classifier.validation += sizes.of(Side::val_ood);
    classifier.feature_bytes += sizes.bytes(classifier.training + classifier.validation);
  }
  // A detector without a classifier fits to the rows of the same plan. Its own memory is added below.
  const auto objective =
      baselines::objective_of(request.method).value_or(baselines::ObjectiveKind::supervised);
  CellPlan planned;
  planned.report = baselines::plan_classifier(baselines::classifier_options(request, objective), classifier,
                                              room.bytes, torch::cpu_tensor_memory().allocated_bytes());
  planned.size.own = std::max(memory::remaining_bytes(planned.report, sizes.bytes(sizes.all())),
                              bytes_of_detector(request, request.method, classifier));
  return planned;
}

std::shared_ptr<BaselineCells::Trained> BaselineCells::entry(const std::string& identity) {
  const std::lock_guard lock(mutex_);
  auto& entry = trained_[identity];
  if (!entry) {
    entry = std::make_shared<Trained>();
  }
  return entry;
}

matrix::CellResult BaselineCells::run(const CellOfMatrix& cell, const CellRun& run) {
  BaselineRequest request = baseline_request(cell.spec, cell.cell);
  request.benchmark = cell.benchmarks.file(cell.cell.benchmark);
  request.spreadsheet_safe = run.spreadsheet_safe;
  request.placement = run.encoding.placement;
  request.compute.precision = run.encoding.compute.precision;
  request.compute.random_weights = run.encoding.compute.random_weights;
  const MatrixSides& sides = run.sides;
  const std::filesystem::path& folder = run.folder;
  const baselines::BaselineIdentity identity{run.features_identity, run.data_identity,
                                             sides.shared_molecules};
  const auto objective = baselines::objective_of(request.method);
  auto labels = labels_for(request, {request.method}, sides.train_molecules, sides.validation_molecules,
                           request.benchmark);
  BaselineData data =
      share_validation({sides.train_features, std::move(labels.train)},
                       {sides.validation_features, std::move(labels.validation)}, on_host(sides.test_id),
                       on_host(sides.test_ood), baselines::holds_out_calibration(request));
  data.validation_id = sides.validation_features;
  data.validation_ood = on_host(sides.training.val_ood);
  const bool trains_on_ood = baselines::trains_on_ood(request.method);
  if (trains_on_ood) {
    add_ood(request.method, on_host(sides.training.train_ood), data.validation_ood, data);
  }
  const auto trained = entry(identity.data + " " + classifier_identity(request, objective) +
                             (trains_on_ood ? " " + request.method : ""));
  baselines::TrainedClassifier model{nullptr, baselines::LabelKind::continuous};
  if (objective) {
    const std::lock_guard lock(trained->mutex);
    if (!trained->classifier) {
      TrainedForBaselines fresh = train_for_baselines(request, *objective, data, {});
      trained->report = std::move(fresh.report);
      trained->classifier = std::make_shared<baselines::Classifier>(std::move(fresh.classifier));
    }
    model = {trained->classifier, data.train.labels.kind};
  }
  MethodScores scores = apply_method(request, request.method, model, trained->report.collapsed, data);
  scores.result.shared_molecules = sides.shared_molecules;
  baselines::write_config(folder, request, identity);
  if (objective) {
    baselines::write_classifier(folder, *objective, *trained->classifier, trained->report);
  }
  baselines::write_detector(
      folder, request.method, *scores.detector, model.kind,
      scores.detector->score(data.calibration, {request.eval_batch_size, request.compute.threads}));
  baselines::write_method(folder, scores.result, request.metrics, scores.id, scores.ood);
  ood::Evaluation predictions;
  predictions.id_scores = scores.id;
  predictions.ood_scores = scores.ood;
  predictions.id_smiles = sides.test_id_smiles;
  predictions.ood_smiles = sides.test_ood_smiles;
  ood::write_predictions(folder / "detailed_predictions.csv", predictions,
                         csv_texts(request.spreadsheet_safe));
  const BaselineResult& result = scores.result;
  const ood::DetectionMetrics id_positive = ood::id_positive_metrics(scores.id, scores.ood, request.metrics);
  return {.auroc = result.auroc,
          .aupr = result.aupr,
          .fpr95 = result.fpr95,
          .validation_auroc = result.validation_auroc,
          .aupr_id_positive = id_positive.aupr,
          .fpr95_id_positive = id_positive.fpr95,
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

}  // namespace

std::unique_ptr<CellKind> baseline_cells() { return std::make_unique<BaselineCells>(); }

}  // namespace molgauge::verbs
