#pragma once

#include <variant>

#include "headroom/plan_memory.h"
#include "options/settings.h"
#include "options/tables.h"

namespace headroom::session {

/// Checks the numbers of a request against the ranges of its options before anything else is done. Throws
/// UsageError naming the option, the value and the range.
template <typename Request>
void require_ranges(const Request& request) {
  options::require_ranges(options::view(request));
}

inline void require_ranges(const PlanMemoryRequest& request) {
  options::require_ranges(options::view(request));
  std::visit([](const auto& work) { require_ranges(work); }, request.work);
}

}  // namespace headroom::session
