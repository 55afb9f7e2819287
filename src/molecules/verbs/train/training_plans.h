#pragma once

#include <vector>

#include "molgauge/baseline.h"
#include "molgauge/memory_plan.h"
#include "molgauge/train.h"

namespace molgauge::verbs {

/// Each function returns one plan for each phase of the command. Encoding comes first.
std::vector<MemoryPlan> plan_training_verb(TrainRequest request);
std::vector<MemoryPlan> plan_training_verb(BaselineRequest request);

}  // namespace molgauge::verbs
