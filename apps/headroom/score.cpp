#include <fmt/format.h>
#include <unistd.h>

#include "core/counted.h"
#include "core/error.h"
#include "core/standard_streams.h"
#include "engine_loader.h"
#include "print.h"
#include "verb.h"

namespace headroom::cli {
namespace {

void run(const ScoreRequest& request, const std::string& format) {
  const ScoreReport report = load_engine().score(request);
  print_failed(report.failed, report.failed_records);
  tell("{}\n", report.threshold_origin);
  if (!request.page.empty()) {
    tell("{}\n", request.page);
  }
  if (!request.out.empty()) {
    print_result("{}: {} scored, {} failed\n", request.out,
                 counted(report.molecules.size() - report.failed_records, "molecule"), report.failed_records);
    return;
  }
  const bool csv = format == "csv" || (format == "auto" && isatty(STDOUT_FILENO) == 0);
  print_scores(report, csv, csv_texts(request.spreadsheet_safe));
}

}  // namespace

void add_score(CLI::App& app, Verbs& verbs) {
  auto request = std::make_shared<ScoreRequest>();
  auto format = std::make_shared<std::string>("auto");
  auto* const command = app.add_subcommand("score",
                                           "How far new molecules are out of distribution by a run of train "
                                           "or baseline, or a saved domain: higher is "
                                           "further");
  add_model_options(*command, *request);
  add_input_options(*command, request->molecules, request->smiles_column, request->strict);
  auto* const out = command->add_option("--out", request->out, "Write a .csv instead of printing");
  auto* const page = command->add_option(
      "--page", request->page, "Write this .html file, too: a page of the molecules, the farthest first");
  command->add_option("--page-rows", request->page_rows, "Molecules that the page lists, the farthest first")
      ->capture_default_str()
      ->needs(page);
  command->add_option("--format", *format, "What to print: table, csv, or auto (a table on a terminal)")
      ->capture_default_str()
      ->check(CLI::IsMember({"auto", "table", "csv"}))
      ->excludes(out);
  command->add_option("--method", request->method,
                      "Of a folder of headroom baseline that holds several: which one [the only one]");
  auto* const recall =
      command
          ->add_option(
              "--id-recall", request->id_recall,
              "The threshold of ood_prediction lets this share of the run's held-out in-distribution "
              "molecules pass")
          ->capture_default_str();
  command
      ->add_option("--threshold", request->threshold,
                   "Molecules that score higher: ood_prediction 1 [by --id-recall]")
      ->excludes(recall);
  add_spreadsheet_option(*command, request->spreadsheet_safe);
  add_compute_options(*command, request->compute);
  verbs.push_back({command, [=] {
                     if (request->spreadsheet_safe && request->out.empty() && *format == "table") {
                       throw UsageError("--spreadsheet-safe has no effect on a table; it is for CSV");
                     }
                     run(*request, *format);
                   }});
}

}  // namespace headroom::cli
