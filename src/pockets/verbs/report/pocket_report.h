#pragma once

#include <filesystem>

#include "molgauge/report.h"

namespace molgauge::verbs {

/// Whether this is a run folder of `molgauge pocket train`.
bool is_pocket_run(const std::filesystem::path& folder);

/// Writes the page of a pocket encoder run. It shows the training curves, the memory of each phase compared
/// with the budget, and the options. Files that do not exist yet appear as gaps. Throws InputError if a file
/// is damaged, and UsageError if `out` is not an .html file.
ReportSummary write_pocket_report(const ReportRequest& request);

}  // namespace molgauge::verbs
