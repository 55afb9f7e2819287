// `molgauge baseline`: benchmark -> features -> classifier of its labels -> scores of every method.

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_lock.h"
#include "base/core/hash.h"
#include "base/core/session/log.h"
#include "base/core/session/progress.h"
#include "base/memory/plan/planner.h"
#include "base/numerics/torch/arrays.h"
#include "base/numerics/torch/operator_threads.h"
#include "base/runtime/device_choice.h"
#include "base/runtime/failed_records.h"
#include "base/runtime/run_log.h"
#include "molecules/baselines/detectors/methods.h"
#include "molecules/baselines/run/baseline_run.h"
#include "molecules/baselines/run/request_options.h"
#include "molecules/datasets/benchmark_selection.h"
#include "molecules/datasets/find_benchmark.h"
#include "molecules/datasets/load_benchmark.h"
#include "molecules/encoding/session/trained_run.h"
#include "molecules/ood/head/evaluation.h"
#include "molecules/ood/metrics/metrics.h"
#include "molecules/verbs/baseline/baseline_method.h"
#include "molecules/verbs/baseline/baseline_needs.h"
#include "molecules/verbs/torch_verbs.h"
#include "molecules/verbs/train/encoded_sides.h"
#include "molecules/verbs/train/training_session.h"

namespace molgauge::verbs {
namespace {

using baselines::ObjectiveKind;
using datasets::Side;

/// Returns the identity of the training data. It depends on the labels, and on every benchmark molecule that
/// is used.
std::string identity_of(const datasets::OodBenchmark& benchmark) {
  std::string text;
  for (const Side side : {Side::train_id, Side::val_id, Side::test_id, Side::test_ood}) {
    for (const auto& molecule : benchmark.of(side)) {
      text += fmt::format("{}\t{}\t{}\t{}\n", molecule.smiles, molecule.label, molecule.value,
                          fmt::join(molecule.labels, " "));
    }
    text += '\n';
  }
  return fmt::format("{:016x}", checksum64(std::as_bytes(std::span(text))));
}

/// The sides that a run of baselines encodes. val_ood is used only for the validation AUROC.
constexpr std::array kSides = {Side::train_id, Side::val_id, Side::val_ood, Side::test_id, Side::test_ood};

struct Encoded {
  BaselineData data;
  std::size_t shared_molecules = 0;
  std::vector<std::string> test_id_smiles, test_ood_smiles;
};

Encoded encode(const BaselineRequest& request, const std::vector<std::string>& methods,
               session::EncodingSession& session, const datasets::OodBenchmark& benchmark,
               pipeline::FailureLog& failed) {
  SideEncoder encoder(session, request.benchmark);
  for (const Side side : kSides) {
    encoder.add(side, benchmark.of(side));
  }
  const auto sides = encoder.encode_keys(failed);
  auto labels = labels_for(request, methods, molecules_at(sides[Side::train_id].places, benchmark.train_id),
                           molecules_at(sides[Side::val_id].places, benchmark.val_id), request.benchmark);
  const auto features = [&](Side side) { return torch::as_tensor(session.features(sides[side].keys)); };
  const baselines::LabelledFeatures validation{features(Side::val_id), std::move(labels.validation)};
  BaselineData data = share_validation({features(Side::train_id), std::move(labels.train)}, validation,
                                       features(Side::test_id), features(Side::test_ood),
                                       baselines::holds_out_calibration(request));
  data.validation_id = validation.features;
  data.validation_ood = features(Side::val_ood);
  return {std::move(data), benchmark.shared_molecules, sides[Side::test_id].smiles,
          sides[Side::test_ood].smiles};
}

/// Computes the classifiers and detectors of one call. Classifiers that are already in the run folder are
/// read from it.
class BaselineCall {
 public:
  BaselineCall(const BaselineRequest& request, const baselines::BaselineRun& run, Encoded encoded,
               runtime::BudgetScope& memory)
      : request_(request), run_(run), encoded_(std::move(encoded)), memory_(memory) {}

  /// Plans of the classifiers that this call trained.
  const std::vector<MemoryPlan>& plans() const { return plans_; }

  BaselineResult compute(const std::string& method, BaselineReport& report) {
    const auto objective = baselines::objective_of(method);
    const Model model = objective ? classifier(*objective, report) : Model{};
    const memory::Phase phase = memory_.phases().begin("eval");
    MethodScores scores = apply_method(request_, method, model.classifier, model.collapsed, encoded_.data);
    scores.result.shared_molecules = encoded_.shared_molecules;
    run_.store(method, *scores.detector, model.classifier.kind,
               scores.detector->score(encoded_.data.calibration,
                                      {request_.eval_batch_size, request_.compute.threads}));
    ood::Evaluation predictions;
    predictions.id_scores = std::move(scores.id);
    predictions.ood_scores = std::move(scores.ood);
    predictions.id_smiles = encoded_.test_id_smiles;
    predictions.ood_smiles = encoded_.test_ood_smiles;
    run_.store(scores.result, request_.metrics, predictions, csv_texts(request_.spreadsheet_safe));
    return scores.result;
  }

 private:
  /// By default, the model of methods without a classifier.
  struct Model {
    baselines::TrainedClassifier classifier = {nullptr, baselines::LabelKind::continuous};
    bool collapsed = false;
  };

  /// Returns the classifier for this objective. Trains it if neither an earlier method of this call nor an
  /// earlier call has trained it.
  const Model& classifier(ObjectiveKind objective, BaselineReport& report) {
    auto& model = models_[objective == ObjectiveKind::supervised ? 0 : 1];
    if (!model.classifier.classifier) {
      auto stored = run_.classifier(objective);
      if (!stored) {
        stored = train(objective);
        run_.store(objective, stored->classifier, stored->report);
      }
      if (stored->report.collapsed) {
        log_warning(
            "the {} classifier predicts the same label for every validation molecule. Its scores have little "
            "meaning",
            stored->report.objective);
      }
      report.classifiers.push_back(stored->report);
      model = {{std::make_shared<baselines::Classifier>(std::move(stored->classifier)),
                encoded_.data.train.labels.kind},
               stored->report.collapsed};
    }
    return model;
  }

  baselines::StoredClassifier train(ObjectiveKind objective) {
    memory::Phase phase = memory_.phases().begin("train");
    plan(objective, phase);
    Progress progress("train " + to_string(objective), "epoch", request_.epochs, request_.compute.quiet);
    TrainedForBaselines trained =
        train_for_baselines(request_, objective, encoded_.data, [&](std::size_t) { progress.advance(1); });
    progress.finish();
    return {std::move(trained.classifier), std::move(trained.report)};
  }

  void plan(ObjectiveKind objective, memory::Phase& phase) {
    const BaselineData& data = encoded_.data;
    const std::uint64_t living = feature_bytes(data);
    const MemoryPlan plan =
        plan_classifier(baselines::classifier_options(request_, objective),
                        {.width = static_cast<std::size_t>(data.train.features.size(1)),
                         .outputs = static_cast<std::size_t>(data.train.labels.outputs),
                         .training = static_cast<std::size_t>(data.train.features.size(0)),
                         .validation = static_cast<std::size_t>(data.selection.features.size(0)),
                         .feature_bytes = living},
                        memory_, living);
    const std::uint64_t needed = memory::remaining_bytes(plan, living);
    memory_.require({.what = plan.work, .host_bytes = needed, .device_bytes = 0});
    phase.set_planned(memory_.projected_peak(needed, 0));
    plans_.push_back(plan);
  }

  const BaselineRequest& request_;
  const baselines::BaselineRun& run_;
  Encoded encoded_;
  runtime::BudgetScope& memory_;
  std::vector<MemoryPlan> plans_;
  Model models_[2];
};

std::vector<std::string> unfinished(const std::vector<std::string>& methods,
                                    const baselines::BaselineRun& run) {
  std::vector<std::string> missing;
  std::copy_if(methods.begin(), methods.end(), std::back_inserter(missing),
               [&](const std::string& method) { return !run.result(method); });
  return missing;
}

/// Throws UsageError if an option is invalid. Call it before any file is read.
void require_options(const BaselineRequest& request) {
  baselines::classifier_options(request, ObjectiveKind::supervised);
  baselines::method_options(request);
  baselines::methods_of(request);
  baselines::require_without_ood(request);
}

BaselineReport baseline(const BaselineRequest& given, runtime::RunLog& log) {
  require_options(given);
  BaselineRequest request = given;
  request.benchmark = datasets::find_benchmark(given.benchmark, given.data_path);
  request.compute.precision = session::resolve_precision(given.compute, given.encoder);
  const std::vector<std::string> methods = baselines::methods_of(request);
  if (request.method == "all" && methods.size() < baselines::method_names().size()) {
    log_warning("dam_msp and dam_energy are left out: measured values have no positives");
  }
  const Device device = runtime::parse_device(request.compute.device);
  datasets::OodBenchmark benchmark =
      datasets::load_ood_benchmark(request.benchmark, datasets::selection_of(request), request.compute);
  BaselineReport report;
  datasets::refuse_if_strict(request.strict, benchmark.failed);
  datasets::refuse_if_strict(request.strict, benchmark.failed_test);
  require_sufficient(request, methods, benchmark, request.benchmark);
  runtime::BudgetScope memory(request.compute, device);
  session::EncodingSession session({.encoder = request.encoder,
                                    .store = request.store,
                                    .weights = request.weights,
                                    .features = request.features,
                                    .strict = request.strict,
                                    .placement = request.placement,
                                    .compute = request.compute},
                                   memory);
  make_folder(request.run);
  const FolderLock lock(request.run);
  const baselines::BaselineRun run(request, {session::encoder_identity(session.encoder()),
                                             identity_of(benchmark), benchmark.shared_molecules});
  log.open(run.folder() / "baseline.log");
  memory.keep_status(run.folder());
  pipeline::FailureLog failed(run.folder(), pipeline::FailureLog::Order::as_appended);
  failed.append_all(std::exchange(benchmark.failed, {}));
  failed.append_all(std::exchange(benchmark.failed_test, {}));

  std::optional<BaselineCall> call;
  // Detectors distribute batches over threads, so each operator gets only one thread.
  const torch::OperatorThreads operator_threads(1);
  const std::vector<std::string> remaining = unfinished(methods, run);
  foresee_baselines(request, remaining, benchmark, session.encoder().width(), memory);
  for (const std::string& method : methods) {
    if (const auto finished = run.result(method)) {
      report.results.push_back(*finished);
      continue;
    }
    if (!call) {
      call.emplace(request, run, encode(request, remaining, session, benchmark, failed), memory);
      log.keep_failed(failed, run.folder(), csv_texts(request.spreadsheet_safe));
    }
    report.results.push_back(call->compute(method, report));
    log_info("{}: AUROC {:.4f}", method, report.results.back().auroc);
  }
  runtime::report_failed(failed, report);
  report.phases = memory.phases().reports();
  report.oom_recoveries = session.oom_recoveries();
  for (const ClassifierReport& classifier : report.classifiers) {
    report.oom_recoveries += classifier.oom_recoveries;
  }
  if (call) {
    memory::RunCost cost = memory.cost();
    cost.plans = {session.plan()};
    cost.plans.insert(cost.plans.end(), call->plans().begin(), call->plans().end());
    cost.batch_size_planned = cost.batch_size_used = request.batch_size;
    cost.oom_recoveries = report.oom_recoveries;
    run.write_training_stats(report, cost);
  }
  return report;
}

}  // namespace

BaselineReport baseline(const BaselineRequest& request) {
  runtime::RunLog log;
  return log.keep_error_of([&] { return baseline(request, log); });
}

}  // namespace molgauge::verbs
