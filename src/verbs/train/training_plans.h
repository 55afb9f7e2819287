#pragma once

#include <vector>

#include "headroom/baseline.h"
#include "headroom/memory_plan.h"
#include "headroom/train.h"

namespace headroom::session {

/// One plan for each phase of these commands, encoding first.
std::vector<MemoryPlan> plan_training_verb(TrainRequest request);
std::vector<MemoryPlan> plan_training_verb(BaselineRequest request);

}  // namespace headroom::session
