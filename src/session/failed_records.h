#pragma once

#include <cstddef>

#include "pipeline/failure_log.h"

namespace headroom::session {

inline constexpr std::size_t kFailuresReported = 1000;

/// Tells a report how many records failed, and gives it the first thousand: however many there are, it takes
/// no more memory than that.
template <typename Report>
void report_failed(const pipeline::FailureLog& failed, Report& report) {
  report.failed_records = failed.size();
  report.failed = failed.first(kFailuresReported);
}

}  // namespace headroom::session
