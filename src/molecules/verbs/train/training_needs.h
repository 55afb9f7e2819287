#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/runtime/budget_scope.h"
#include "molecules/baselines/classifier/classifier_plan.h"
#include "molgauge/baseline.h"
#include "molgauge/memory_plan.h"

/// The needs (output_requirements.h) of the verbs that train.
namespace molgauge::verbs {

/// The memory that a training needs with its plan, or with the smallest settings if no plan fits.
/// `host_feature_bytes`: bytes of features that are on the host before they go to a GPU.
runtime::MemoryRequirement need_of_training(const MemoryPlan& plan, bool on_device,
                                            std::uint64_t host_feature_bytes);

/// Bytes to fit and apply one detector, in addition to features and classifier. Call it inside a
/// PlanningScope.
std::uint64_t bytes_of_detector(const BaselineRequest& request, const std::string& method,
                                const baselines::ClassifierSizes& sizes);

/// The memory for the detector that needs the most memory among the methods, with a classifier of these
/// sizes. It includes the features.
runtime::MemoryRequirement need_of_detectors(const BaselineRequest& request,
                                             const std::vector<std::string>& methods,
                                             const baselines::ClassifierSizes& sizes);

/// The memory of the runs of a matrix, one run at a time, including features. `smallest`: bytes of the
/// smallest run, which must fit. `largest`: bytes of the largest run.
runtime::MemoryRequirement need_of_runs(std::uint64_t smallest, std::uint64_t largest, bool on_device);

}  // namespace molgauge::verbs
