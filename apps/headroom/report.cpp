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
  if (!request.scores.empty()) {
    tell("{}\n", counted(summary.candidates, "candidate"));
    return;
  }
  tell("{} of {} finished, {} failed\n", summary.finished, counted(summary.planned, "run"), summary.failed);
}

void add_score_options(CLI::App& command, ReportRequest& request) {
  auto* const score =
      command.add_option("--score", request.scores,
                         "A file of 'headroom score DIR --out': write the page of its molecules instead");
  const auto add = [&](const char* name, auto& value, const char* note) {
    return command.add_option(name, value, note)->capture_default_str()->needs(score);
  };
  add("--smiles-column", request.smiles_column, "With --score: column of the file that holds the SMILES");
  add("--method", request.method, "With --score: of a folder of baselines that holds several, which one");
  auto* const recall =
      add("--id-recall", request.id_recall, "With --score: the one that the file was made with");
  command.add_option("--threshold", request.threshold, "Likewise")->excludes(recall)->needs(score);
  add("--page-rows", request.page_rows, "With --score: molecules that the page lists, the farthest first");
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
  command->add_option(
      "--out", request->out,
      "HTML file; the tables go beside it as .md, .tex and .csv [DIR/report.html; with --score its file's "
      "name with .html]");
  add_score_options(*command, *request);
  add_spreadsheet_option(*command, request->spreadsheet_safe);
  verbs.push_back({command, [request] { run(*request); }});
}

}  // namespace headroom::cli
