// `headroom baseline`: benchmark -> features -> classifier of its labels -> scores of every method.

#include <algorithm>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "baselines/baseline_run.h"
#include "baselines/methods.h"
#include "baselines/request_options.h"
#include "core/atomic_file.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/log.h"
#include "core/progress.h"
#include "datasets/find_benchmark.h"
#include "datasets/load_benchmark.h"
#include "engine/baseline_method.h"
#include "engine/benchmark_selection.h"
#include "engine/encoded_parts.h"
#include "engine/trained_run.h"
#include "engine/verbs.h"
#include "ood/metrics.h"
#include "ops/device.h"
#include "ops/operator_threads.h"

namespace headroom::verbs {
namespace {

using baselines::ObjectiveKind;

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

BaselineData encode(const BaselineRequest& request, EncodingSession& session,
                    const datasets::OodBenchmark& benchmark, std::vector<FailedMolecule>& failed) {
  PartEncoder encoder(session, request.benchmark);
  encoder.add("train_id", benchmark.train_id);
  encoder.add("val_id", benchmark.val_id);
  encoder.add("test_id", benchmark.test_id);
  encoder.add("test_ood", benchmark.test_ood);
  // Once as they are, once shared out among training, selection and calibration.
  session.set_later_bytes(2 * sizeof(float) * session.encoder().width() *
                          (benchmark.train_id.size() + benchmark.val_id.size() + benchmark.test_id.size() +
                           benchmark.test_ood.size()));
  const auto parts = encoder.encode_keys(failed);
  return share_validation(labelled(session.features(parts[0].keys), benchmark.train_id, parts[0].places),
                          labelled(session.features(parts[1].keys), benchmark.val_id, parts[1].places),
                          session.features(parts[2].keys), session.features(parts[3].keys),
                          baselines::holds_out_calibration(request));
}

/// The classifiers and detectors of one call, computed where the run folder lacks them.
class BaselineCall {
 public:
  BaselineCall(const BaselineRequest& request, const baselines::BaselineRun& run, BaselineData data,
               MemorySession& memory)
      : request_(request), run_(run), data_(std::move(data)), memory_(memory) {}

  BaselineResult compute(const std::string& method, BaselineReport& report) {
    const Model& model = classifier(baselines::objective_of(method), report);
    const memory::Phase phase = memory_.phases().begin("eval");
    const MethodScores scores = apply_method(request_, method, model.classifier, model.collapsed, data_);
    run_.store(scores.result, request_.metrics, scores.id, scores.ood);
    return scores.result;
  }

 private:
  struct Model {
    baselines::TrainedClassifier classifier;
    bool collapsed = false;
  };

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
          {std::make_shared<baselines::Classifier>(std::move(stored->classifier)), data_.train.labels.kind},
          stored->report.collapsed};
    }
    return model;
  }

  baselines::BaselineRun::StoredClassifier train(ObjectiveKind objective) {
    const memory::Phase phase = memory_.phases().begin("train");
    Progress progress("train " + to_string(objective), "epochs", request_.epochs, request_.compute.quiet);
    TrainedForBaselines trained =
        train_for_baselines(request_, objective, data_, [&](std::size_t) { progress.advance(1); });
    progress.finish();
    return {std::move(trained.classifier), std::move(trained.report)};
  }

  const BaselineRequest& request_;
  const baselines::BaselineRun& run_;
  BaselineData data_;
  MemorySession& memory_;
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

BaselineReport baseline(const BaselineRequest& given) {
  require_options(given);
  BaselineRequest request = given;
  request.benchmark = datasets::find_benchmark(given.benchmark, given.data_path);
  const std::vector<std::string> methods = baselines::methods_of(request.method);
  const c10::Device device = ops::parse_device(request.compute.device);
  datasets::OodBenchmark benchmark =
      datasets::load_ood_benchmark(request.benchmark, selection_of(request), request.compute);
  refuse_if_strict(request.strict, benchmark.failed);
  require_sufficient(request, methods, benchmark.train_id, request.benchmark);
  MemorySession memory(request.compute, device);
  EncodingSession session({.encoder = request.encoder,
                           .store = request.store,
                           .weights = request.weights,
                           .features = request.features,
                           .strict = request.strict,
                           .compute = request.compute},
                          memory);
  const baselines::BaselineRun run(request, {encoder_identity(session.encoder()), identity_of(benchmark)});
  memory.keep_status(run.folder());
  const LogFile log((run.folder() / "baseline.log").string());

  BaselineReport report;
  report.failed = std::move(benchmark.failed);
  std::optional<BaselineCall> call;
  // Detectors spread batches over threads themselves, so that each operator gets one.
  const ops::OperatorThreads operator_threads(1);
  for (const std::string& method : methods) {
    if (const auto finished = run.result(method)) {
      report.results.push_back(*finished);
      continue;
    }
    if (!call) {
      call.emplace(request, run, encode(request, session, benchmark, report.failed), memory);
    }
    report.results.push_back(call->compute(method, report));
    spdlog::info("{}: AUROC {:.4f}", method, report.results.back().auroc);
  }
  report.phases = memory.phases().reports();
  if (call) {
    run.write_training_stats(report, memory.cost());
  }
  return report;
}

}  // namespace headroom::verbs
