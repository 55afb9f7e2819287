#include "molecules/verbs/baseline/baseline_needs.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "molecules/baselines/run/request_options.h"
#include "molecules/verbs/baseline/baseline_data.h"
#include "molecules/verbs/train/training_needs.h"
#include "molecules/verbs/train/training_session.h"

namespace molgauge::verbs {

std::vector<MemoryPlan> foresee_baselines(const BaselineRequest& request,
                                          const std::vector<std::string>& methods,
                                          const datasets::OodBenchmark& benchmark, std::size_t width,
                                          runtime::BudgetScope& memory) {
  if (methods.empty()) {
    return {};
  }
  const runtime::PlanningScope planning;  // labels are tensors too
  const auto labels = labels_for(request, methods, benchmark.train_id, benchmark.val_id, request.benchmark);
  const std::size_t molecules = benchmark.train_id.size() + benchmark.val_id.size() +
                                benchmark.val_ood.size() + benchmark.test_id.size() +
                                benchmark.test_ood.size();
  const baselines::ClassifierSizes sizes{
      .width = width,
      .outputs = static_cast<std::size_t>(labels.train.outputs),
      .training = benchmark.train_id.size(),
      .validation = selection_size(benchmark.val_id.size(), baselines::holds_out_calibration(request)),
      .feature_bytes = molecules * width * sizeof(float)};
  std::vector<MemoryPlan> plans;
  using Objective = std::optional<baselines::ObjectiveKind>;
  for (const Objective objective : {Objective(baselines::ObjectiveKind::supervised),
                                    Objective(baselines::ObjectiveKind::auc_margin), Objective()}) {
    std::vector<std::string> of_objective;
    std::copy_if(methods.begin(), methods.end(), std::back_inserter(of_objective),
                 [&](const std::string& method) { return baselines::objective_of(method) == objective; });
    if (of_objective.empty()) {
      continue;
    }
    if (objective) {
      plans.push_back(plan_classifier(baselines::classifier_options(request, *objective), sizes, memory,
                                      /*living_features=*/0));
      memory.declare_requirement(
          need_of_training(plans.back(), /*on_device=*/false, /*host_feature_bytes=*/0));
    }
    memory.declare_requirement(need_of_detectors(request, of_objective, sizes));
  }
  return plans;
}

}  // namespace molgauge::verbs
