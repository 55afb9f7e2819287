#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/runtime/budget_scope.h"
#include "molecules/datasets/ood_benchmark.h"
#include "molgauge/baseline.h"
#include "molgauge/memory_plan.h"

namespace molgauge::verbs {

/// Declares the memory that `molgauge baseline` needs after encoding. The memory includes the classifiers and
/// detectors of the methods, and features of `width` numbers. Returns the plans of the classifiers within the
/// memory of the session, one for each objective. `request.benchmark` is a path.
std::vector<MemoryPlan> foresee_baselines(const BaselineRequest& request,
                                          const std::vector<std::string>& methods,
                                          const datasets::OodBenchmark& benchmark, std::size_t width,
                                          runtime::BudgetScope& memory);

}  // namespace molgauge::verbs
