#include <fmt/format.h>

#include "core/counted.h"
#include "core/standard_streams.h"
#include "engine_loader.h"
#include "verb.h"

namespace headroom::cli {
namespace {

void run(const ReportRequest& request) {
  const ReportSummary summary = load_engine().write_report(request);
  for (const std::string& gap : summary.gaps) {
    tell("missing: {}\n", gap);
  }
  for (const std::string& file : summary.files) {
    print_result("{}\n", file);
  }
  tell("{} of {} finished, {} failed\n", summary.finished, counted(summary.planned, "run"), summary.failed);
}

}  // namespace

void add_report(CLI::App& app, Verbs& verbs) {
  auto request = std::make_shared<ReportRequest>();
  auto* const command = app.add_subcommand(
      "report", "Write a page with tables and figures of a matrix, an evaluated run or baselines");
  command
      ->add_option("DIR", request->folder,
                   "Folder of 'headroom experiment' (finished or not) or 'headroom baseline', or a run "
                   "folder that was "
                   "evaluated")
      ->required();
  command->add_option("--out", request->out,
                      "HTML file; the tables go beside it as .md, .tex and .csv [DIR/report.html]");
  add_spreadsheet_option(*command, request->spreadsheet_safe);
  verbs.push_back({command, [request] { run(*request); }});
}

}  // namespace headroom::cli
