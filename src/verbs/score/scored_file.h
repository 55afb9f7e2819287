#pragma once

#include <string>

#include "headroom/report.h"

namespace headroom::session {

/// Writes the page of the molecules in a file of `headroom score --out`, made with the run in request.folder,
/// as `headroom score --page` does. Throws InputError naming file and line where the scores belong to another
/// run, or to another threshold than that of the request; and the UsageErrors of require_page().
ReportSummary write_score_page(const ReportRequest& request);

}  // namespace headroom::session
