#pragma once

#include <string>
#include <vector>

#include "memgauge/explain/explanation.h"

namespace molgauge::allocator {

/// Returns explanations as a self-contained HTML page. It has a part for each device in the given order.
std::string explanation_page(const std::vector<ExplainedMemory>& explained);
std::string explanation_page(const ExplainedMemory& explained);

}  // namespace molgauge::allocator
