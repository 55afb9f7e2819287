// `headroom report`: the folder of a matrix or a run -> a page and tables; its scores of molecules -> a page.

#include "report/report.h"

#include "engine/verbs.h"
#include "session/pocket/pocket_report.h"
#include "session/scoring/scored_file.h"

namespace headroom::verbs {

ReportSummary write_report(const ReportRequest& request) {
  if (request.scores.empty() && session::is_pocket_run(request.folder)) {
    return session::write_pocket_report(request);
  }
  return request.scores.empty() ? report::write_report(request) : session::write_score_page(request);
}

}  // namespace headroom::verbs
