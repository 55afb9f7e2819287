#pragma once

#include "headroom/report.h"

namespace headroom::report {

/// Reads the folder and writes the report: one HTML page that needs nothing beside itself, and the results
/// table as Markdown, LaTeX and CSV. The same folder gives the same bytes. Throws InputError as read_study()
/// does, UsageError when `out` is not an .html file.
ReportSummary write_report(const ReportRequest& request);

}  // namespace headroom::report
