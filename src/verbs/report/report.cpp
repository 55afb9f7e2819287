// `headroom report`: the folder of a matrix or a run -> a page and tables; its scores of molecules -> a page.

#include "pages/study/report.h"

#include "verbs/pocket/pocket_report.h"
#include "verbs/score/scored_file.h"
#include "verbs/verbs.h"

namespace headroom::verbs {

ReportSummary write_report(const ReportRequest& request) {
  if (request.scores.empty() && session::is_pocket_run(request.folder)) {
    return session::write_pocket_report(request);
  }
  return request.scores.empty() ? report::write_report(request) : session::write_score_page(request);
}

}  // namespace headroom::verbs
