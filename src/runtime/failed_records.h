#pragma once

#include <cstddef>

#include "runtime/failure_log.h"

namespace headroom::session {

inline constexpr std::size_t kFailuresReported = 1000;

/// Reports how many records failed, with the first thousand of them, so that the memory is bounded for any
/// number of failures.
template <typename Report>
void report_failed(const pipeline::FailureLog& failed, Report& report) {
  report.failed_records = failed.size();
  report.failed = failed.first(kFailuresReported);
}

/// Reports all records that failed. For calls whose molecules are in memory.
template <typename Report>
void report_all_failed(const pipeline::FailureLog& failed, Report& report) {
  report.failed_records = failed.size();
  report.failed = failed.all();
}

}  // namespace headroom::session
