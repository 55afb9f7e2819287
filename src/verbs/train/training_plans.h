#pragma once

#include <vector>

#include "headroom/baseline.h"
#include "headroom/memory_plan.h"
#include "headroom/train.h"

namespace headroom::session {

/// Each function returns one plan for each phase of the command. Encoding comes first.
std::vector<MemoryPlan> plan_training_verb(TrainRequest request);
std::vector<MemoryPlan> plan_training_verb(BaselineRequest request);

}  // namespace headroom::session
