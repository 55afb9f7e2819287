// `headroom baseline`: benchmark -> features -> classifier of its labels -> scores of every method.

#include <algorithm>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "baselines/baseline_run.h"
#include "baselines/methods.h"
#include "baselines/request_options.h"
#include "core/atomic_file.h"
#include "core/duration.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/log.h"
#include "core/progress.h"
#include "datasets/load_benchmark.h"
#include "engine/encoded_parts.h"
#include "engine/trained_run.h"
#include "engine/verbs.h"
#include "ood/metrics.h"
#include "ops/device.h"
#include "ops/device_memory.h"
#include "ops/operator_threads.h"

namespace headroom::verbs {
namespace {

using baselines::LabelledFeatures;
using baselines::ObjectiveKind;

datasets::OodBenchmark load(const BaselineRequest& request) {
  datasets::OodSelection selection;
  selection.data_seed = request.data_seed;
  selection.train_size = request.train_size;
  selection.val_size = request.val_size;
  selection.test_size = request.test_size;
  return datasets::load_ood_benchmark(request.benchmark, selection);
}

/// What can be known to fail without computing anything.
void require_sufficient(const BaselineRequest& request, const std::vector<std::string>& methods,
                        const datasets::OodBenchmark& benchmark) {
  const auto& train = benchmark.train_id;
  if (std::find(methods.begin(), methods.end(), "knn") != methods.end() && request.knn_k > train.size()) {
    throw InputError(fmt::format("{}: train_id has {} molecules, fewer than --knn-k {}; choose a smaller one",
                                 request.benchmark, train.size(), request.knn_k));
  }
  const auto other = std::find_if(train.begin(), train.end(), [&](const auto& molecule) {
    return molecule.label != train.front().label;
  });
  if (other == train.end()) {
    throw InputError(
        fmt::format("{}: all molecules of train_id have cls_label {}, so that no classifier can "
                    "be trained; take another benchmark or a larger --train-size",
                    request.benchmark, train.front().label));
  }
}

/// Depends on every molecule that is looked at, and its label.
std::string identity_of(const datasets::OodBenchmark& benchmark) {
  std::string text;
  for (const auto* part : {&benchmark.train_id, &benchmark.val_id, &benchmark.test_id, &benchmark.test_ood}) {
    for (const auto& molecule : *part) {
      text += molecule.smiles + '\t' + std::to_string(molecule.label) + '\n';
    }
    text += '\n';
  }
  return fmt::format("{:016x}", checksum64(std::as_bytes(std::span(text))));
}

struct EncodedParts {
  LabelledFeatures train, validation;
  at::Tensor test_id, test_ood;
};

/// Labels of a part's molecules that were encoded; the part starts at this row of all that were given.
baselines::Labels labels_of(const std::vector<datasets::BenchmarkMolecule>& molecules, std::size_t first_row,
                            const std::vector<FailedMolecule>& failed) {
  std::vector<int> labels;
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    const bool is_failed = std::any_of(failed.begin(), failed.end(), [&](const FailedMolecule& molecule) {
      return molecule.row == first_row + i;
    });
    if (!is_failed) {
      labels.push_back(molecules[i].label);
    }
  }
  return baselines::class_labels(labels, 2);
}

EncodedParts encode(EncodingSession& session, const std::string& file,
                    const datasets::OodBenchmark& benchmark, std::vector<FailedMolecule>& failed) {
  PartEncoder encoder(session, file);
  encoder.add("train_id", benchmark.train_id);
  encoder.add("val_id", benchmark.val_id);
  encoder.add("test_id", benchmark.test_id);
  encoder.add("test_ood", benchmark.test_ood);
  const auto parts = encoder.encode(failed);
  return {{parts[0], labels_of(benchmark.train_id, 0, failed)},
          {parts[1], labels_of(benchmark.val_id, benchmark.train_id.size(), failed)},
          parts[2],
          parts[3]};
}

/// Molecules that choose the classifier, and molecules that calibrate p-values.
struct ValidationShares {
  LabelledFeatures selection;
  at::Tensor calibration;
};

/// The parts were drawn in random order, so that a half is a random half.
ValidationShares share(const LabelledFeatures& validation, bool held_out) {
  const std::int64_t rows = validation.features.size(0);
  if (!held_out) {
    return {validation, validation.features};
  }
  if (rows < 2) {
    throw InputError(
        "val_id has a single molecule, which cannot both choose the classifier and calibrate; "
        "take more, or --calibration validation");
  }
  const std::int64_t half = (rows + 1) / 2;
  return {{validation.features.narrow(0, 0, half), validation.labels.rows_of(0, half)},
          validation.features.narrow(0, half, rows - half)};
}

ClassifierReport describe(const baselines::ClassifierTraining& training, ObjectiveKind objective) {
  ClassifierReport report;
  report.objective = to_string(objective);
  report.selection = training.selection;
  report.best_selection = training.best_selection;
  report.best_epoch = training.best_epoch;
  report.epochs_run = training.epochs_run;
  report.stopped_early = training.stopped_early;
  report.collapsed = training.collapsed;
  report.seconds = training.seconds;
  return report;
}

/// The classifiers and detectors of one call, computed where the run folder lacks them.
class BaselineCall {
 public:
  BaselineCall(const BaselineRequest& request, const baselines::BaselineRun& run, EncodedParts parts,
               memory::PhaseRecorder& recorder)
      : request_(request),
        run_(run),
        parts_(std::move(parts)),
        shares_(share(parts_.validation, baselines::holds_out_calibration(request))),
        recorder_(recorder) {}

  BaselineResult compute(const std::string& method, BaselineReport& report) {
    const Model& model = classifier(baselines::objective_of(method), report);
    const baselines::RowBatches batches{request_.eval_batch_size, request_.compute.threads};
    const memory::Phase phase = recorder_.begin("eval");
    Stopwatch watch;
    const auto detector =
        baselines::make_detector(method, model.classifier, baselines::method_options(request_));
    detector->fit({parts_.train, shares_.calibration, batches});
    BaselineResult result;
    result.method = method;
    result.classifier_collapsed = model.collapsed;
    result.fit_seconds = watch.seconds();
    watch = Stopwatch();
    const std::vector<float> id = detector->score(parts_.test_id, batches);
    const std::vector<float> ood = detector->score(parts_.test_ood, batches);
    result.score_seconds = watch.seconds();
    measure(id, ood, result);
    run_.store(result, request_.metrics, id, ood);
    return result;
  }

 private:
  struct Model {
    baselines::TrainedClassifier classifier;
    bool collapsed = false;
  };

  void measure(std::span<const float> id, std::span<const float> ood, BaselineResult& result) const {
    const auto metrics = ood::detection_metrics(id, ood, ood::parse_metric_variant(request_.metrics));
    result.auroc = metrics.auroc;
    result.aupr = metrics.aupr;
    result.fpr95 = metrics.fpr95;
    const ood::ScoreSummary inside = ood::summarize(id), outside = ood::summarize(ood);
    result.id_scores_mean = inside.mean;
    result.id_scores_std = inside.standard_deviation;
    result.ood_scores_mean = outside.mean;
    result.ood_scores_std = outside.standard_deviation;
    result.id_count = id.size();
    result.ood_count = ood.size();
  }

  /// Trained now, by an earlier method of this call, or by an earlier call.
  const Model& classifier(ObjectiveKind objective, BaselineReport& report) {
    auto& model = models_[objective == ObjectiveKind::supervised ? 0 : 1];
    if (!model.classifier.classifier) {
      auto stored = run_.classifier(objective);
      if (!stored) {
        stored = train(objective);
        run_.store(objective, stored->classifier, stored->report);
      }
      if (stored->report.collapsed) {
        spdlog::warn(
            "the {} classifier gives every validation molecule the same label; its scores tell little",
            stored->report.objective);
      }
      report.classifiers.push_back(stored->report);
      model = {
          {std::make_shared<baselines::Classifier>(std::move(stored->classifier)), parts_.train.labels.kind},
          stored->report.collapsed};
    }
    return model;
  }

  baselines::BaselineRun::StoredClassifier train(ObjectiveKind objective) {
    const memory::Phase phase = recorder_.begin("train");
    const baselines::ClassifierOptions options = baselines::classifier_options(request_, objective);
    Progress progress("train " + to_string(objective), "epochs", options.epochs, request_.compute.quiet);
    baselines::ClassifierTraining training = baselines::train_classifier(
        {parts_.train, shares_.selection}, options, [&](std::size_t) { progress.advance(1); });
    progress.finish();
    return {std::move(training.best), describe(training, objective)};
  }

  const BaselineRequest& request_;
  const baselines::BaselineRun& run_;
  EncodedParts parts_;
  ValidationShares shares_;
  memory::PhaseRecorder& recorder_;
  Model models_[2];
};

/// Throws UsageError before anything is read.
void require_options(const BaselineRequest& request) {
  baselines::classifier_options(request, ObjectiveKind::supervised);
  baselines::method_options(request);
  baselines::holds_out_calibration(request);
  ood::parse_metric_variant(request.metrics);
}

}  // namespace

BaselineReport baseline(const BaselineRequest& request) {
  require_options(request);
  const std::vector<std::string> methods = baselines::methods_of(request.method);
  const c10::Device device = ops::parse_device(request.compute.device);
  const datasets::OodBenchmark benchmark = load(request);
  require_sufficient(request, methods, benchmark);
  memory::PhaseRecorder recorder(ops::device_probe(device));
  EncodingSession session({.encoder = request.encoder,
                           .store = request.store,
                           .weights = request.weights,
                           .strict = request.strict,
                           .compute = request.compute},
                          recorder);
  const baselines::BaselineRun run(request, {encoder_identity(session.encoder()), identity_of(benchmark)});
  const LogFile log((run.folder() / "baseline.log").string());

  BaselineReport report;
  std::optional<BaselineCall> call;
  // Detectors spread batches over threads themselves, so that each operator gets one.
  const ops::OperatorThreads operator_threads(1);
  for (const std::string& method : methods) {
    if (const auto finished = run.result(method)) {
      report.results.push_back(*finished);
      continue;
    }
    if (!call) {
      call.emplace(request, run, encode(session, request.benchmark, benchmark, report.failed), recorder);
    }
    report.results.push_back(call->compute(method, report));
    spdlog::info("{}: AUROC {:.4f}", method, report.results.back().auroc);
  }
  report.phases = recorder.reports();
  if (call) {
    run.write_training_stats(report, device.str());
  }
  return report;
}

}  // namespace headroom::verbs
