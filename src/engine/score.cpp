// `headroom score`: energies of new molecules.

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "engine/molecule_input.h"
#include "engine/trained_run.h"
#include "engine/verbs.h"
#include "io/csv_writer.h"
#include "ood/evaluation.h"
#include "ops/device.h"
#include "ops/operator_threads.h"

namespace headroom::verbs {
namespace {

/// Passes records on and keeps where each came from and what it said.
pipeline::MoleculeSource remember(pipeline::MoleculeSource source, std::vector<ScoredMolecule>& molecules) {
  return [source = std::move(source), &molecules]() {
    auto record = source();
    if (record) {
      molecules.push_back({record->row, record->line, record->text, std::numeric_limits<float>::quiet_NaN()});
    }
    return record;
  };
}

void fill_in_energies(TrainedRun& run, const pipeline::EncodeOutcome& outcome, c10::Device device,
                      std::vector<ScoredMolecule>& molecules) {
  std::vector<bool> usable(molecules.size(), true);
  for (const auto& failed : outcome.failed) {
    usable[failed.row] = false;
  }
  std::vector<Hash128> keys;
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < molecules.size(); ++row) {
    if (usable[row]) {
      keys.push_back(outcome.keys[row]);
      rows.push_back(row);
    }
  }
  const auto energies = ood::score_features(run.head(device), run.session().features(keys).to(device),
                                            run.request().eval_batch_size);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    molecules[rows[i]].energy = energies[i];
  }
}

double sigmoid(double score) { return 1.0 / (1.0 + std::exp(-score)); }

void write_scores(const ScoreRequest& request, const std::vector<ScoredMolecule>& molecules) {
  std::vector<std::string> header = {"row", "line", "molecule", "energy_score"};
  if (request.has_threshold) {
    header.insert(header.end(), {"ood_prediction", "ood_probability"});
  }
  io::CsvWriter file(request.out, header, csv_texts(request.spreadsheet_safe));
  for (const auto& molecule : molecules) {
    const bool scored = !std::isnan(molecule.energy);
    std::vector<std::string> cells = {std::to_string(molecule.row), std::to_string(molecule.line),
                                      molecule.text, scored ? fmt::format("{}", molecule.energy) : ""};
    if (request.has_threshold) {
      cells.push_back(scored ? std::to_string(molecule.energy > request.threshold ? 1 : 0) : "");
      cells.push_back(scored ? fmt::format("{:.6f}", sigmoid(molecule.energy)) : "");
    }
    file.append(cells);
  }
  file.finish();
}

}  // namespace

ScoreReport score(const ScoreRequest& request) {
  require_other_file(request.molecules, request.out);
  const c10::Device device = ops::parse_device(request.compute.device);
  MemorySession memory(request.compute, device);
  TrainedRun run(request, request.strict, request.compute, memory);
  ScoreReport report;
  MoleculeList molecules = list_molecules(request.molecules, request.smiles_column);
  run.session().set_later_bytes(molecules.records * run.session().encoder().width() * sizeof(float));
  pipeline::EncodeOutcome outcome =
      run.session().encode(remember(molecules_of(request.molecules, request.smiles_column), report.molecules),
                           std::move(molecules));
  memory::Phase phase = memory.phases().begin("eval");
  const ops::OperatorThreads operator_threads(static_cast<int>(threads_of(request.compute)));
  fill_in_energies(run, outcome, device, report.molecules);
  phase.end();
  if (!request.out.empty()) {
    write_scores(request, report.molecules);
  }
  report.failed = std::move(outcome.failed);
  report.phases = memory.phases().reports();
  return report;
}

}  // namespace headroom::verbs
