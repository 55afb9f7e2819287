#include "molecules/verbs/train/training_needs.h"

#include "molecules/baselines/detectors/detector_memory.h"
#include "molecules/baselines/run/request_options.h"
#include "molecules/encoding/session/output_requirements.h"

namespace molgauge::verbs {

runtime::MemoryRequirement need_of_training(const MemoryPlan& plan, bool on_device,
                                            std::uint64_t host_feature_bytes) {
  const std::uint64_t bytes = plan.smallest_budget_bytes;
  runtime::MemoryRequirement need = session::host_need(plan.work, on_device ? host_feature_bytes : bytes);
  need.device_bytes = on_device ? bytes : 0;
  return need;
}

runtime::MemoryRequirement need_of_runs(std::uint64_t smallest, std::uint64_t largest, bool on_device) {
  runtime::MemoryRequirement need =
      session::host_need("the smallest run of the matrix", on_device ? 0 : smallest);
  need.device_bytes = on_device ? smallest : 0;
  need.host_bytes_for_all = on_device ? 0 : session::kLeftByEncoding + largest;
  return need;
}

std::uint64_t bytes_of_detector(const BaselineRequest& request, const std::string& method,
                                const baselines::ClassifierSizes& sizes) {
  const auto options = baselines::classifier_options(
      request, baselines::objective_of(method).value_or(baselines::ObjectiveKind::supervised));
  return baselines::detector_bytes(method, baselines::method_options(request),
                                   {.inputs = static_cast<std::int64_t>(sizes.width),
                                    .hidden = options.hidden,
                                    .layers = options.layers,
                                    .outputs = static_cast<std::int64_t>(sizes.outputs)},
                                   sizes.training,
                                   {request.eval_batch_size, runtime::threads_of(request.compute)});
}

runtime::MemoryRequirement need_of_detectors(const BaselineRequest& request,
                                             const std::vector<std::string>& methods,
                                             const baselines::ClassifierSizes& sizes) {
  const runtime::PlanningScope planning;
  runtime::MemoryRequirement most;
  for (const std::string& method : methods) {
    const std::uint64_t bytes = bytes_of_detector(request, method, sizes);
    if (bytes >= most.host_bytes) {
      most = {.what = "the detector " + method, .host_bytes = bytes};
    }
  }
  return session::host_need(most.what, most.host_bytes + sizes.feature_bytes);
}

}  // namespace molgauge::verbs
