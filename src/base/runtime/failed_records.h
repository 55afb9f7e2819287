#pragma once

#include <cstddef>

#include "base/runtime/failure_log.h"

namespace molgauge::runtime {

inline constexpr std::size_t kFailuresReported = 1000;

/// Reports the number of failed records, and the first thousand of them. The limit bounds the memory of a
/// report.
template <typename Report>
void report_failed(const pipeline::FailureLog& failed, Report& report) {
  report.failed_records = failed.size();
  report.failed = failed.first(kFailuresReported);
}

/// Reports all failed records. Used for calls with molecules in memory.
template <typename Report>
void report_all_failed(const pipeline::FailureLog& failed, Report& report) {
  report.failed_records = failed.size();
  report.failed = failed.all();
}

}  // namespace molgauge::runtime
