#include <fmt/format.h>

#include "core/counted.h"
#include "core/standard_streams.h"
#include "engine_loader.h"
#include "print.h"
#include "verb.h"

namespace headroom::cli {
namespace {

void run(const DomainRequest& request) {
  const DomainReport report = load_engine().judge_domain(request);
  print_failed(report.failed, report.failed_records);
  print_phases(report.phases);
  const std::string duplicates =
      report.training_duplicates > 0
          ? fmt::format(" ({} left out)", counted(report.training_duplicates, "repetition"))
          : "";
  tell("compared with {}{}\n", counted(report.training_molecules, "training molecule"), duplicates);
  if (report.resumed > 0) {
    tell("{} had been compared by an earlier call\n", counted(report.resumed, "candidate"));
  }
  print_result("inside {}, borderline {}, outside {}, unreadable {}\n", report.inside, report.borderline,
               report.outside, report.unreadable);
  print_result("{}\n{}\n{}\n", report.csv, report.json, report.page);
}

}  // namespace

void add_domain(CLI::App& app, Verbs& verbs) {
  auto request = std::make_shared<DomainRequest>();
  auto* const command = app.add_subcommand(
      "domain", "Which candidates lie outside what a model was trained on, and what is foreign about them");
  command
      ->add_option(
          "TRAIN", request->training,
          "Training molecules: .csv, .tsv, .smi, .sdf or DrugOOD .json, each also gzipped; or a folder "
          "that --save made")
      ->required();
  command->add_option("CANDIDATES", request->candidates, "Candidates, likewise; '-': SMILES lines on stdin")
      ->required();
  command->add_option("--smiles-column", request->smiles_column, "Column of CANDIDATES that holds the SMILES")
      ->capture_default_str();
  command
      ->add_option("--train-smiles-column", request->training_smiles_column,
                   "Column of TRAIN that holds the SMILES")
      ->capture_default_str();
  command->add_option("--name-column", request->name_column,
                      "Column of TRAIN with the molecules' names [name or id, where there is one]");
  command->add_option("--label-column", request->label_column,
                      "Column of TRAIN with values: shows how the error of a plain predictor grows with the "
                      "distance");
  command->add_option(
      "--method", request->method,
      "Distance: combined, knn, tanimoto, rarity, coverage, mahalanobis or density [combined]");
  command->add_option("--level", request->level,
                      "Outside: at most this share of the candidates called so is of the training set's kind "
                      "(corrected for the length of the list) [0.05]");
  command->add_option("--borderline-level", request->borderline_level,
                      "Borderline: as far out as this share of training molecules [0.05]");
  command->add_option("--seed", request->seed, "Of the training molecules that are held out [0]");
  command->add_option("--encoder", request->encoder,
                      "Encoder; the end of this text lists them [the first, or that of the saved folder]");
  command->footer(known_encoders);
  command->add_option("--features", request->features,
                      "native (encoded here), or imported:NAME (rows taken in with store import) [native]");
  command
      ->add_option(
          "--out", request->out,
          "The candidates with their verdicts; .json and .html of the same name are written beside it")
      ->capture_default_str();
  command->add_option("--save", request->save,
                      "Keep the calibrated training set in this folder, to be given as TRAIN later");
  command->add_option("--page-rows", request->page_rows, "Candidates that the page lists, the farthest first")
      ->capture_default_str();
  add_strict_option(*command, request->strict);
  add_spreadsheet_option(*command, request->spreadsheet_safe);
  add_home_options(*command, request->store, request->weights);
  add_compute_options(*command, request->compute);
  verbs.push_back({command, [request] { run(*request); }});
}

}  // namespace headroom::cli
