#pragma once

#include <string>
#include <vector>

#include "allocator/explain/explanation.h"

namespace headroom::allocator {

/// Explanations as one page that needs nothing beside itself: a part for each device, the first one first.
std::string explanation_page(const std::vector<ExplainedMemory>& explained);
std::string explanation_page(const ExplainedMemory& explained);

}  // namespace headroom::allocator
