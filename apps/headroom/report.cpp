#include <fmt/format.h>

#include "core/counted.h"
#include "core/standard_streams.h"
#include "engine_loader.h"
#include "table_options.h"
#include "verb.h"

namespace headroom::cli {
namespace {

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

}  // namespace

void add_report(CLI::App& app, Verbs& verbs) {
  auto request = std::make_shared<ReportRequest>();
  auto* const command =
      app.add_subcommand("report", "Write a page with tables and figures of a matrix, a run or baselines");
  add_options(*command, *request);
  verbs.push_back({command, [request] { run(*request); }});
}

}  // namespace headroom::cli
