#include "base/command_line/command.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/command_line/engine_loader.h"
#include "base/command_line/print.h"
#include "base/command_line/table_options.h"
#include "base/core/error.h"
#include "base/core/session/standard_streams.h"
#include "base/core/text/counted.h"
#include "molecules/verbs/score/print_scores.h"

namespace molgauge::cli {
namespace {

void score(const ScoreRequest& request, const std::string& format) {
  const ScoreReport report = load_engine().run(request);
  print_failed(report.failed, report.failed_records);
  print_info("{}\n", report.threshold_origin);
  if (request.standardize != Standardize::none) {
    print_info("records scored in a form that differs from the drawing (--standardize {}): {} of {}\n",
               to_string(request.standardize), report.standardized_rows, report.molecules.size());
  }
  if (!request.page.empty()) {
    print_info("{}\n", request.page);
  }
  if (!request.out.empty()) {
    print_result("{}: {} scored, {} failed\n", request.out,
                 counted(report.molecules.size() - report.failed_records, "molecule"), report.failed_records);
    return;
  }
  const bool csv = format == "csv" || (format == "auto" && isatty(STDOUT_FILENO) == 0);
  print_scores(report, csv, csv_texts(request.spreadsheet_safe));
  if (report.has_resemblance && csv) {
    print_info(
        "resembles_training_ood (0 to 1) compares a molecule with the OOD molecules of the training. It is "
        "not a probability for other chemistry. The verdict is ood_prediction\n");
  }
}

void add_score(CLI::App& command, Verbs& verbs) {
  auto request = std::make_shared<ScoreRequest>();
  auto format = std::make_shared<std::string>("auto");
  add_options(command, *request);
  put_in(command
             .add_option("--format", *format,
                         "Output format: table, csv or auto (a table on a terminal, otherwise CSV)")
             ->capture_default_str()
             ->check(CLI::IsMember({"auto", "table", "csv"}))
             ->excludes(command.get_option("--out")),
         options::Group::output);
  verbs.push_back({&command, [=] {
                     if (request->spreadsheet_safe && request->out.empty() && *format == "table") {
                       throw UsageError("--spreadsheet-safe has no effect on a table. It is for CSV");
                     }
                     score(*request, *format);
                   }});
}

}  // namespace

template <>
std::vector<Command> commands<ScoreRequest>() {
  return {{.name = "score",
           .summary = "Score how far new molecules are out of distribution (a higher score is further)",
           .add = add_score}};
}

}  // namespace molgauge::cli
