#include "molecules/verbs/baseline/baseline_method.h"

#include "base/core/text/duration.h"
#include "molecules/baselines/run/baseline_run.h"
#include "molecules/baselines/run/request_options.h"
#include "molecules/ood/metrics/metrics.h"

namespace molgauge::verbs {
namespace {

ClassifierReport describe(const baselines::ClassifierTraining& training, baselines::ObjectiveKind objective) {
  ClassifierReport report;
  report.objective = to_string(objective);
  report.selection = training.selection;
  report.best_selection = training.best_selection;
  report.best_epoch = training.best_epoch;
  report.epochs_run = training.epochs_run;
  report.stopped_early = training.stopped_early;
  report.collapsed = training.collapsed;
  report.seconds = training.seconds;
  report.oom_recoveries = training.oom_recoveries;
  return report;
}

void measure(MetricVariant variant, MethodScores& scores) {
  BaselineResult& result = scores.result;
  const auto metrics =
      ood::detection_metrics(std::span<const float>(scores.id), std::span<const float>(scores.ood), variant);
  result.auroc = metrics.auroc;
  result.aupr = metrics.aupr;
  result.fpr95 = metrics.fpr95;
  const ood::ScoreSummary inside = ood::summarize(std::span<const float>(scores.id));
  const ood::ScoreSummary outside = ood::summarize(std::span<const float>(scores.ood));
  result.id_scores_mean = inside.mean;
  result.id_scores_std = inside.standard_deviation;
  result.ood_scores_mean = outside.mean;
  result.ood_scores_std = outside.standard_deviation;
  result.id_count = scores.id.size();
  result.ood_count = scores.ood.size();
}

}  // namespace

TrainedForBaselines train_for_baselines(const BaselineRequest& request, baselines::ObjectiveKind objective,
                                        const BaselineData& data,
                                        const std::function<void(std::size_t epoch)>& after_epoch) {
  baselines::ClassifierTraining training = baselines::train_classifier(
      {data.train, data.selection}, baselines::classifier_options(request, objective), after_epoch);
  ClassifierReport report = describe(training, objective);
  return {std::move(training.best), std::move(report)};
}

MethodScores apply_method(const BaselineRequest& request, const std::string& method,
                          const baselines::TrainedClassifier& model, bool collapsed,
                          const BaselineData& data) {
  const baselines::RowBatches batches{request.eval_batch_size, request.compute.threads};
  MethodScores scores;
  Stopwatch watch;
  scores.detector = baselines::make_detector(method, model, baselines::method_options(request));
  scores.detector->fit({data.train, data.calibration, batches, data.selection});
  scores.result.method = method;
  scores.result.classifier_collapsed = collapsed;
  scores.result.overlap_accepted = request.allow_overlap;
  scores.result.fit_seconds = watch.seconds();
  watch = Stopwatch();
  scores.id = scores.detector->score(data.test_id, batches);
  scores.ood = scores.detector->score(data.test_ood, batches);
  scores.result.score_seconds = watch.seconds();
  measure(request.metrics, scores);
  if (data.validation_ood.defined()) {
    const auto inside = scores.detector->score(data.validation_id, batches);
    const auto outside = scores.detector->score(data.validation_ood, batches);
    scores.result.validation_auroc =
        ood::detection_metrics(std::span<const float>(inside), std::span<const float>(outside)).auroc;
  }
  return scores;
}

}  // namespace molgauge::verbs
