#pragma once

#include "headroom/report.h"

namespace headroom::report {

/// Reads the folder and writes the report: one complete HTML page, and the results table as Markdown, LaTeX
/// and CSV. The same folder gives the same bytes. Throws the InputErrors of read_study(), UsageError when
/// `out` is not an .html file.
ReportSummary write_report(const ReportRequest& request);

}  // namespace headroom::report
