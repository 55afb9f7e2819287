// `headroom score`: how far new molecules are out of distribution.

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "chem/identity.h"
#include "chem/perception.h"
#include "core/error.h"
#include "core/worker_group.h"
#include "engine/verbs.h"
#include "io/tables/csv_writer.h"
#include "report/score_table.h"
#include "session/device_choice.h"
#include "session/encoding/molecule_input.h"
#include "session/failed_records.h"
#include "session/scoring/ood_verdict.h"
#include "session/scoring/run_scorer.h"

namespace headroom::verbs {
namespace {

/// Molecules whose features are in memory at once, in whole batches.
constexpr std::size_t kRowsAtOnce = 16384;

std::size_t rows_at_once(std::size_t batch_size) {
  return batch_size * std::max<std::size_t>(1, kRowsAtOnce / batch_size);
}

/// What is kept of a molecule besides its text: what is reported of it, its key, its place, and its scores.
constexpr std::uint64_t kBytesOfMolecule =
    sizeof(ScoredMolecule) + 2 * sizeof(Hash128) + sizeof(std::size_t) + 4 * sizeof(float);

/// The molecules of the input and what it says of them.
class ScoredInput {
 public:
  ScoredInput(const ScoreRequest& request, ScoreReport& report)
      : report_(report),
        table_(session::table_of(request.molecules, request.smiles_column,
                                 [this](const io::MoleculeRow& row) { remember(row); })) {
    if (table_.smiles_field) {
      report.input_columns = table_.columns;
      report.smiles_column = *table_.smiles_field;
      return;
    }
    report.input_columns = {"line", "smiles"};
    report.smiles_column = 1;
    report.input_columns.insert(report.input_columns.end(), table_.columns.begin(), table_.columns.end());
  }
  ScoredInput(const ScoredInput&) = delete;
  ScoredInput& operator=(const ScoredInput&) = delete;

  const pipeline::MoleculeSource& source() const { return table_.source; }

  /// Puts SMILES in the place of mol blocks; of those in `failed`, which are no molecules, nothing.
  void name_mol_blocks(const std::vector<bool>& usable, std::size_t threads) {
    parallel_for(mol_blocks_.size(), threads, [&](std::size_t i) {
      const std::size_t row = mol_blocks_[i];
      std::string& text = report_.molecules[row].input[report_.smiles_column];
      chem::MoleculeRecord record;
      record.format = chem::RecordFormat::molblock;
      record.text = std::exchange(text, {});
      if (usable[row]) {
        text = chem::identify(record, /*with_scaffold=*/false).canonical_smiles;
      }
    });
  }

 private:
  void remember(const io::MoleculeRow& row) {
    ScoredMolecule molecule{.row = row.record.row, .line = row.record.line, .input = {}};
    if (table_.smiles_field) {
      molecule.input = row.fields;
    } else {
      molecule.input.reserve(2 + row.fields.size());
      molecule.input = {std::to_string(row.record.line), row.record.text};
      molecule.input.insert(molecule.input.end(), row.fields.begin(), row.fields.end());
    }
    if (row.record.format == chem::RecordFormat::molblock) {
      mol_blocks_.push_back(report_.molecules.size());
    }
    report_.molecules.push_back(std::move(molecule));
  }

  ScoreReport& report_;
  std::vector<std::size_t> mol_blocks_;  ///< rows whose SMILES cell holds one
  session::MoleculeTable table_;
};

/// A run whose score overflows has not scored the molecule, which fails like one that cannot be encoded.
void require_finite(const std::vector<float>& of_seeds, const ScoreRequest& request) {
  for (const float score : of_seeds) {
    if (!std::isfinite(score)) {
      throw InputError(fmt::format("the model of {} gives it the score {}, which is no finite number",
                                   request.run, score));
    }
  }
}

class Scoring {
 public:
  Scoring(const ScoreRequest& request, session::RunScorer& run, const session::OodVerdict& verdict,
          ScoreReport& report, pipeline::EncodeOutcome& outcome)
      : request_(request), run_(run), verdict_(verdict), report_(report), outcome_(outcome) {}

  void score(const std::vector<bool>& usable) {
    std::vector<Hash128> keys;
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < usable.size(); ++row) {
      if (usable[row]) {
        keys.push_back(outcome_.keys[row]);
        rows.push_back(row);
      }
    }
    const std::size_t at_once = rows_at_once(run_.batch_size());
    for (std::size_t first = 0; first < keys.size(); first += at_once) {
      const auto block = std::span(keys).subspan(first, std::min(at_once, keys.size() - first));
      const auto scores = run_.score(run_.session().features(block));
      for (std::size_t i = 0; i < block.size(); ++i) {
        take(scores, i, report_.molecules[rows[first + i]]);
      }
    }
  }

 private:
  void take(const std::vector<std::vector<float>>& scores, std::size_t i, ScoredMolecule& molecule) {
    of_seeds_.clear();
    for (const std::vector<float>& own : scores) {
      of_seeds_.push_back(own[i]);
    }
    try {
      require_finite(of_seeds_, request_);
    } catch (const InputError& problem) {
      refuse(molecule, problem.what());
      return;
    }
    verdict_.judge(of_seeds_, molecule);
  }

  void refuse(const ScoredMolecule& molecule, const std::string& reason) {
    outcome_.failed.append(
        {molecule.row, molecule.line, request_.molecules, molecule.input.at(report_.smiles_column), reason});
    if (request_.strict) {
      throw InputError(fmt::format("{}:{}: {} (--strict)", request_.molecules, molecule.line, reason));
    }
  }

  const ScoreRequest& request_;
  session::RunScorer& run_;
  const session::OodVerdict& verdict_;
  ScoreReport& report_;
  pipeline::EncodeOutcome& outcome_;
  std::vector<float> of_seeds_;
};

std::vector<bool> usable_rows(const pipeline::EncodeOutcome& outcome, std::size_t rows) {
  std::vector<bool> usable(rows, true);
  outcome.failed.for_each([&](const FailedMolecule& failed) {
    usable[failed.row] = false;
    return true;
  });
  return usable;
}

void write_scores(const ScoreRequest& request, const ScoreReport& report) {
  io::CsvWriter file(request.out, report::score_header(report), csv_texts(request.spreadsheet_safe));
  for (const auto& molecule : report.molecules) {
    file.append(report::score_cells(report, molecule));
  }
  file.finish();
}

}  // namespace

ScoreReport score(const ScoreRequest& request) {
  session::require_other_file(request.molecules, request.out);
  const Device device = session::parse_device(request.compute.device);
  session::MemorySession memory(request.compute, device);
  const auto run = session::open_run_scorer(request, device, memory);
  const session::OodVerdict verdict(request, run->held_out());
  ScoreReport report;
  report.score_name = run->score_name();
  report.seeds = std::max<std::size_t>(1, run->held_out().id_of_seeds.size());
  report.threshold = verdict.threshold();
  report.threshold_origin = verdict.origin();
  report.has_probability = verdict.has_probability();
  session::MoleculeList molecules = session::list_molecules(request.molecules, request.smiles_column);
  report.molecules.reserve(molecules.records);
  session::MemoryNeed scoring =
      run->need(molecules.records, rows_at_once(run->batch_size()), kBytesOfMolecule);
  scoring.host_bytes += molecules.row_bytes;
  memory.foresee(std::move(scoring));
  ScoredInput input(request, report);
  pipeline::EncodeOutcome outcome = run->session().encode(input.source(), std::move(molecules));
  const memory::Phase phase = memory.phases().begin("eval");
  const std::vector<bool> usable = usable_rows(outcome, report.molecules.size());
  input.name_mol_blocks(usable, session::threads_of(request.compute));
  Scoring(request, *run, verdict, report, outcome).score(usable);
  if (!request.out.empty()) {
    write_scores(request, report);
  }
  session::report_failed(outcome.failed, report);
  report.phases = memory.phases().reports();
  return report;
}

}  // namespace headroom::verbs
