#pragma once

#include <vector>

#include "molgauge/domain.h"
#include "molgauge/memory_plan.h"

namespace molgauge::verbs {

/// Returns one plan for each phase of `molgauge domain`. If the request names a chemprop model, the first
/// phase predicts the candidates. If the training molecules come from a file, a phase encodes them. The last
/// phases encode and compare the candidates.
std::vector<MemoryPlan> plan_domain(const DomainRequest& request);

}  // namespace molgauge::verbs
