#include <fmt/format.h>

#include "core/counted.h"
#include "core/standard_streams.h"
#include "engine_loader.h"
#include "verb.h"

namespace headroom::cli {
void run(const ReportRequest& request) {
  const ReportSummary summary = load_engine().run(request);
  for (const std::string& gap : summary.gaps) {
    print_info("missing: {}\n", gap);
  }
  for (const std::string& file : summary.files) {
    print_result("{}\n", file);
  }
  if (!request.scores.empty()) {
    print_info("{}\n", counted(summary.candidates, "candidate"));
    return;
  }
  print_info("{} of {} finished, {} failed\n", summary.finished, counted(summary.planned, "run"),
             summary.failed);
}

}  // namespace headroom::cli
