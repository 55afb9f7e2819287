// `molgauge report`: the folder of a matrix or a run -> a page and tables.

#include "pages/study/report.h"

#include "verbs/pocket/pocket_report.h"
#include "verbs/verbs.h"

namespace molgauge::verbs {

ReportSummary write_report(const ReportRequest& request) {
  return session::is_pocket_run(request.folder) ? session::write_pocket_report(request)
                                                : report::write_report(request);
}

}  // namespace molgauge::verbs
