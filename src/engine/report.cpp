// `headroom report`: the folder of a matrix or a run -> a page and tables.

#include "report/report.h"

#include "engine/verbs.h"

namespace headroom::verbs {

ReportSummary write_report(const ReportRequest& request) { return report::write_report(request); }

}  // namespace headroom::verbs
