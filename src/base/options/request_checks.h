#pragma once

#include <variant>

#include "base/options/file_conflicts.h"
#include "base/options/settings.h"
#include "base/options/tables.h"
#include "molgauge/plan_memory.h"

namespace molgauge::options {

/// Checks a request before any work begins. Each number must be in the range of its option, and no output of
/// the call may be one of its inputs. If a check fails, throws UsageError, which contains the option, the
/// value and a remedy.
template <typename Request>
void require_valid(const Request& request) {
  require_ranges(view(request));
  require_no_conflicts(view(request));
}

/// Checks a request for molecules in memory. Ignores `out`, because results are returned and not written.
template <typename Request>
void require_valid_in_memory(Request request) {
  request.out.clear();
  require_valid(request);
}

/// A plan writes no files, so only its numbers are checked.
inline void require_valid(const PlanMemoryRequest& request) {
  require_ranges(view(request));
  std::visit([](const auto& work) { require_ranges(view(work)); }, request.work);
}

}  // namespace molgauge::options
