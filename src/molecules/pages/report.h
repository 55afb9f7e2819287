#pragma once

#include "molgauge/report.h"

namespace molgauge::report {

/// Reads the folder and writes the report: a self-contained HTML page, and the table of results as Markdown,
/// LaTeX and CSV. Reports on an unchanged folder are bit-identical. Throws the exceptions of read_study(),
/// and UsageError if `out` is not an .html file.
ReportSummary write_report(const ReportRequest& request);

}  // namespace molgauge::report
