#pragma once

#include <string>

#include "headroom/report.h"

namespace headroom::session {

/// Writes the page of the molecules in a file of `headroom score --out`, of the run in request.folder, as
/// `headroom score --page` does. Throws InputError naming file and line where the scores are not of this run,
/// or not of the threshold that the request has; UsageError as require_page() does.
ReportSummary write_score_page(const ReportRequest& request);

}  // namespace headroom::session
