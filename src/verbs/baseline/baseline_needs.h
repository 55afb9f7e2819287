#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/datasets/ood_benchmark.h"
#include "headroom/baseline.h"
#include "headroom/memory_plan.h"
#include "runtime/budget_scope.h"

namespace headroom::session {

/// Declares the memory of `headroom baseline` after encoding: the classifiers of these methods, their
/// detectors, and features of `width` numbers. Returns the plans of the classifiers, one for each objective,
/// within the memory of the session. `request.benchmark` is a path.
std::vector<MemoryPlan> foresee_baselines(const BaselineRequest& request,
                                          const std::vector<std::string>& methods,
                                          const datasets::OodBenchmark& benchmark, std::size_t width,
                                          BudgetScope& memory);

}  // namespace headroom::session
