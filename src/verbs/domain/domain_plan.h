#pragma once

#include <vector>

#include "headroom/domain.h"
#include "headroom/memory_plan.h"

namespace headroom::session {

/// Returns one plan for each phase of `headroom domain`. If the request names a chemprop model, the first
/// phase predicts the candidates. If the training molecules come from a file, a phase encodes them. The last
/// phases encode and compare the candidates.
std::vector<MemoryPlan> plan_domain(const DomainRequest& request);

}  // namespace headroom::session
