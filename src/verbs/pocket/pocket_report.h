#pragma once

#include <filesystem>

#include "headroom/report.h"

namespace headroom::session {

/// Whether this is a run folder of `headroom pocket train`.
bool is_pocket_run(const std::filesystem::path& folder);

/// The page of a pocket encoder's run: the curves of its training, memory of each phase against the budget,
/// and its options. What has not been written yet is a gap. Throws InputError naming the file that is
/// damaged, UsageError where `out` is not an .html file.
ReportSummary write_pocket_report(const ReportRequest& request);

}  // namespace headroom::session
