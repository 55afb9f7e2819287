// `headroom score`: energies of new molecules.

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/error.h"
#include "engine/device_choice.h"
#include "engine/failed_records.h"
#include "engine/head_scorer.h"
#include "engine/molecule_input.h"
#include "engine/trained_run.h"
#include "engine/verbs.h"
#include "io/csv_writer.h"

namespace headroom::verbs {
namespace {

/// Molecules whose features are in memory at once, in whole batches.
constexpr std::size_t kRowsAtOnce = 16384;

std::size_t rows_at_once(std::size_t batch_size) {
  return batch_size * std::max<std::size_t>(1, kRowsAtOnce / batch_size);
}

/// What is kept of a molecule besides its text: what is reported of it, its key, its place, and its energy.
constexpr std::uint64_t kBytesOfMolecule =
    sizeof(ScoredMolecule) + 2 * sizeof(Hash128) + sizeof(std::size_t) + 4 * sizeof(float);

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

/// A head whose energy overflows has not scored the molecule, which fails like one that cannot be encoded.
void take_energy(float energy, const ScoreRequest& request, ScoredMolecule& molecule,
                 pipeline::FailureLog& failed) {
  if (std::isfinite(energy)) {
    molecule.energy = energy;
    return;
  }
  const std::string reason =
      fmt::format("the model of {} gives it the energy {}, which is no finite number", request.run, energy);
  failed.append({molecule.row, molecule.line, request.molecules, molecule.text, reason});
  if (request.strict) {
    throw InputError(fmt::format("{}:{}: {} (--strict)", request.molecules, molecule.line, reason));
  }
}

void fill_in_energies(TrainedRun& run, const HeadScorer& scorer, const ScoreRequest& request,
                      pipeline::EncodeOutcome& outcome, std::vector<ScoredMolecule>& molecules) {
  std::vector<bool> usable(molecules.size(), true);
  outcome.failed.for_each([&](const FailedMolecule& failed) {
    usable[failed.row] = false;
    return true;
  });
  std::vector<Hash128> keys;
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < molecules.size(); ++row) {
    if (usable[row]) {
      keys.push_back(outcome.keys[row]);
      rows.push_back(row);
    }
  }
  const std::size_t at_once = rows_at_once(run.request().eval_batch_size);
  for (std::size_t first = 0; first < keys.size(); first += at_once) {
    const auto block = std::span(keys).subspan(first, std::min(at_once, keys.size() - first));
    const std::vector<float> energies = scorer.score(run.session().features(block)).energies;
    for (std::size_t i = 0; i < energies.size(); ++i) {
      take_energy(energies[i], request, molecules[rows[first + i]], outcome.failed);
    }
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
  const Device device = parse_device(request.compute.device);
  MemorySession memory(request.compute, device);
  TrainedRun run(request, request.strict, request.compute, memory);
  ScoreReport report;
  MoleculeList molecules = list_molecules(request.molecules, request.smiles_column);
  report.molecules.reserve(molecules.records);
  const std::size_t batch_size = run.request().eval_batch_size;
  const HeadScorer scorer(run.head(), device, batch_size, threads_of(request.compute));
  MemoryNeed scoring = scorer.need(molecules.records, rows_at_once(batch_size), kBytesOfMolecule);
  scoring.host_bytes += molecules.text_bytes;
  memory.foresee(std::move(scoring));
  pipeline::EncodeOutcome outcome =
      run.session().encode(remember(molecules_of(request.molecules, request.smiles_column), report.molecules),
                           std::move(molecules));
  memory::Phase phase = memory.phases().begin("eval");
  fill_in_energies(run, scorer, request, outcome, report.molecules);
  phase.end();
  if (!request.out.empty()) {
    write_scores(request, report.molecules);
  }
  report_failed(outcome.failed, report);
  report.phases = memory.phases().reports();
  return report;
}

}  // namespace headroom::verbs
