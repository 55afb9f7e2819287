#pragma once

#include <variant>

#include "base/options/file_conflicts.h"
#include "base/options/settings.h"
#include "base/options/tables.h"
#include "molgauge/plan_memory.h"

namespace molgauge::runtime {

/// Checks a request before any work begins. Each number must be in the range of its option, and no output of
/// the call may be one of its inputs. If a check fails, throws UsageError, which contains the option, the
/// value and a remedy.
template <typename Request>
void require_valid(const Request& request) {
  options::require_ranges(options::view(request));
  options::require_no_conflicts(options::view(request));
}

/// Checks a request for molecules in memory. Ignores `out`, because results are returned and not written.
template <typename Request>
void require_valid_in_memory(Request request) {
  request.out.clear();
  require_valid(request);
}

/// A plan writes no files, so only its numbers are checked.
inline void require_valid(const PlanMemoryRequest& request) {
  options::require_ranges(options::view(request));
  std::visit([](const auto& work) { options::require_ranges(options::view(work)); }, request.work);
}

}  // namespace molgauge::runtime
