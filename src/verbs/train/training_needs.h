#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headroom/baseline.h"
#include "headroom/memory_plan.h"
#include "models/baselines/classifier/classifier_plan.h"
#include "runtime/budget_scope.h"

/// The needs (output_requirements.h) of the verbs that train.
namespace headroom::session {

/// The need of training as planned; with the smallest settings where nothing fits. `host_feature_bytes`:
/// bytes of features that are on the host before they go to a GPU.
MemoryRequirement need_of_training(const MemoryPlan& plan, bool on_device, std::uint64_t host_feature_bytes);

/// Bytes of fitting and applying one detector, beside features and classifier. Inside a PlanningScope.
std::uint64_t bytes_of_detector(const BaselineRequest& request, const std::string& method,
                                const baselines::ClassifierSizes& sizes);

/// The need of the methods on a classifier of these sizes: that of the largest one for fitting and applying,
/// beside the features.
MemoryRequirement need_of_detectors(const BaselineRequest& request, const std::vector<std::string>& methods,
                                    const baselines::ClassifierSizes& sizes);

/// The need of a matrix's runs, one after the other: `smallest` bytes for the smallest run, without which the
/// matrix is refused, `largest` for the largest one, features included.
MemoryRequirement need_of_runs(std::uint64_t smallest, std::uint64_t largest, bool on_device);

}  // namespace headroom::session
