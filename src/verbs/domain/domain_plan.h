#pragma once

#include <vector>

#include "headroom/domain.h"
#include "headroom/memory_plan.h"

namespace headroom::session {

/// Returns one plan for each phase of `headroom domain`: predicting the candidates (if the request names a
/// chemprop model), encoding the training molecules (if they come from a file), encoding the candidates, and
/// comparing the candidates.
std::vector<MemoryPlan> plan_domain(const DomainRequest& request);

}  // namespace headroom::session
