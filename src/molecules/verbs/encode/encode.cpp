// `molgauge encode`.

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/text/counted.h"
#include "base/options/report_fields.h"
#include "base/options/tables.h"
#include "base/runtime/device_choice.h"
#include "base/runtime/failed_records.h"
#include "base/runtime/folders.h"
#include "base/runtime/verb_in_budget.h"
#include "molecules/encoders/registry.h"
#include "molecules/encoding/pipeline/feature_file.h"
#include "molecules/encoding/pipeline/feature_rows.h"
#include "molecules/encoding/pipeline/fine_file.h"
#include "molecules/encoding/session/encoder_cache.h"
#include "molecules/encoding/session/encoding_session.h"
#include "molecules/encoding/session/molecule_input.h"
#include "molecules/encoding/session/output_requirements.h"
#include "molecules/verbs/verbs.h"

namespace molgauge::verbs {

namespace {

session::EncodingSettings settings_of(const EncodeRequest& request, bool keep_keys) {
  return {.encoder = request.encoder,
          .store = request.store,
          .weights = request.weights,
          .batch_atoms = request.batch_atoms,
          .strict = request.strict,
          .keep_keys = keep_keys,
          .placement = request.placement,
          .fine = {.atoms = !request.atom_features.empty(), .pairs = !request.pair_features.empty()},
          .compute = request.compute};
}

EncodeReport report_of(pipeline::EncodeOutcome& outcome, const session::EncodingSession& session,
                       runtime::BudgetScope& memory) {
  EncodeReport report;
  report.rows = outcome.rows;
  report.encoded = outcome.encoded;
  report.from_store = outcome.from_store;
  report.width = session.encoder().width();
  report.pair_width = session.encoder().pair_width();
  report.cropped = outcome.cropped;
  report.conformers_made = session.conformers().made;
  report.conformers_from_store = session.conformers().from_store;
  report.molecules_per_second = static_cast<double>(outcome.encoded) / outcome.seconds;
  report.oom_recoveries = outcome.memory.recoveries;
  report.batch_size_planned = outcome.memory.planned;
  report.batch_size_used = outcome.memory.used;
  report.batches = outcome.batches;
  report.workers = session.workers();
  report.plan = session.plan();
  report.bottleneck = outcome.bottleneck;
  report.stages = std::move(outcome.stages);
  report.phase = memory.phases().report("encoding");
  return report;
}

bool writes_files(const EncodeRequest& request) {
  return !request.out.empty() || !request.atom_features.empty() || !request.pair_features.empty();
}

/// Checks the names of the output files. Throws UsageError if one has the wrong extension, or if two are
/// equal.
void require_files(const EncodeRequest& request) {
  if (!request.out.empty()) {
    pipeline::require_feature_format(request.out);
  }
  for (const std::string& file : {request.atom_features, request.pair_features}) {
    if (!file.empty()) {
      pipeline::require_fine_format(file);
    }
  }
  const auto is_same = [](const std::string& one, const std::string& other) {
    return !one.empty() && one == other;
  };
  if (is_same(request.atom_features, request.out) || is_same(request.pair_features, request.out) ||
      is_same(request.atom_features, request.pair_features)) {
    throw UsageError(
        "--out, --atom-features and --pair-features: two of them name the same file. Give each its own file");
  }
}

void write_fine_files(const EncodeRequest& request, const session::EncodingSession& session,
                      const pipeline::EncodeOutcome& outcome, EncodeReport& report) {
  const encoders::Encoder& encoder = session.encoder();
  const auto write = [&](const std::string& file, const store::BlobTable& table, std::size_t width) {
    return pipeline::write_fine_file(file, table, width, outcome, csv_texts(request.spreadsheet_safe),
                                     encoder.identity().random_weights);
  };
  if (!request.atom_features.empty()) {
    report.atom_rows = write(request.atom_features, *session.fine()->atoms, encoder.width());
  }
  if (!request.pair_features.empty()) {
    report.pair_rows = write(request.pair_features, *session.fine()->pairs, encoder.pair_width());
  }
}

/// Reads the atom features into `atoms`, and returns the number of atoms.
std::size_t read_atoms(const session::EncodingSession& session, const pipeline::EncodeOutcome& outcome,
                       AtomFeatures& atoms) {
  pipeline::FineRows found =
      pipeline::read_fine_rows(*session.fine()->atoms, session.encoder().width(), outcome);
  atoms.rows = std::move(found.rows);
  atoms.counts.clear();
  for (std::size_t i = 0; i + 1 < found.offsets.size(); ++i) {
    atoms.counts.push_back(static_cast<std::size_t>(found.offsets[i + 1] - found.offsets[i]));
  }
  return static_cast<std::size_t>(found.offsets.back());
}

/// Returns all options with their values, as a text.
std::string text_of(const EncodeRequest& request) {
  const options::View view = options::view(request);
  std::string text;
  for (const options::Option& option : view.options) {
    text += fmt::format("{}={}\n", option.name, options::to_text(view.slot(option)));
  }
  return text;
}

/// Opens a session with the cached encoder and table `kept` of an earlier call. If there is no cached
/// encoder, loads it.
session::EncodingSession session_with(std::optional<session::EncoderAndRows> kept,
                                      session::EncodingSettings settings, runtime::BudgetScope& memory) {
  return kept ? session::EncodingSession(std::move(settings), memory, std::move(*kept))
              : session::EncodingSession(std::move(settings), memory);
}

}  // namespace

EncodeReport encode(const EncodeRequest& request) {
  if (!request.shard.empty()) {
    return encode_shard(request);
  }
  require_files(request);
  const auto source = session::molecules_of(request.molecules, request.smiles_column);
  encoders::require_device(request.encoder, request.compute.device);
  runtime::BudgetScope memory(request.compute, runtime::parse_device(request.compute.device));
  session::EncodingSession session(settings_of(request, writes_files(request)), memory);
  session::MoleculeList molecules = session::list_molecules(request.molecules, request.smiles_column);
  if (!request.out.empty()) {
    memory.declare_requirement(
        session::need_of_feature_file(request.out, molecules.records, session.encoder().width()));
  }
  for (const std::string& file : {request.atom_features, request.pair_features}) {
    if (!file.empty()) {
      memory.declare_requirement(session::need_of_fine_file(file, molecules.records, session.encoder()));
    }
  }
  const bool is_known = molecules.records > 0;
  pipeline::EncodeOutcome outcome = session.encode(source, std::move(molecules));
  if (!request.out.empty()) {
    pipeline::write_feature_file(request.out, session.table(), session.encoder().width(), outcome,
                                 csv_texts(request.spreadsheet_safe),
                                 session.encoder().identity().random_weights);
  }
  EncodeReport report = report_of(outcome, session, memory);
  runtime::report_failed(outcome.failed, report);
  write_fine_files(request, session, outcome, report);
  if (is_known && report.plan.chosen) {
    report.batches_planned = report.plan.alternatives[*report.plan.chosen].batches;
  }
  return report;
}

RowBuffer room_in(std::span<float> rows, std::size_t molecules) {
  return [rows, molecules](std::size_t width) {
    if (rows.size() != molecules * width) {
      throw UsageError(
          fmt::format("the buffer has room for {} numbers, but the features of {} need {} ({} each)",
                      rows.size(), counted(molecules, "molecule"), molecules * width, width));
    }
    return rows;
  };
}

EncodeReport encode(const EncodeRequest& request, std::span<const std::string> smiles, const RowBuffer& room,
                    session::EncoderCache& kept, AtomFeatures* atoms) {
  if (!request.molecules.empty() || writes_files(request)) {
    throw UsageError(
        "in-memory encoding does not accept file paths. Remove `molecules` and the options that name feature "
        "files");
  }
  std::vector<chem::MoleculeRecord> records(smiles.size());
  for (std::size_t row = 0; row < smiles.size(); ++row) {
    records[row].text = smiles[row];
    records[row].row = row;
    records[row].line = row + 1;
    records[row].file = "molecules";
  }
  encoders::require_device(request.encoder, request.compute.device);
  const Device device = runtime::parse_device(request.compute.device);
  using Threads = runtime::BudgetScope::Threads;
  const bool is_short =
      smiles.size() == 1 && device.is_cpu() && request.compute.memory_trace.empty() && atoms == nullptr;
  runtime::BudgetScope memory(request.compute, device,
                              is_short ? Threads::none : Threads::workers_and_helpers);
  const std::string text = text_of(request);
  session::EncodingSettings settings = settings_of(request, true);
  settings.is_short = is_short;
  settings.allow_all_failed = true;  // the report lists the failed molecules, even if all have failed
  settings.writes_later = device.is_cpu() && atoms == nullptr;
  settings.fine.atoms = atoms != nullptr;
  auto found = atoms == nullptr ? kept.take(text) : std::nullopt;
  if (found && is_short) {
    memory.keep_freed_memory();
  }
  session::EncodingSession session = session_with(std::move(found), std::move(settings), memory);
  const std::span<float> rows = room(session.encoder().width());
  pipeline::EncodeOutcome outcome = pipeline::encode_into(rows, session.table(), [&] {
    return session.encode(pipeline::source_of(records), session::list_molecules(records));
  });
  EncodeReport report = report_of(outcome, session, memory);
  runtime::report_all_failed(outcome.failed, report);
  if (atoms != nullptr) {
    report.atom_rows = read_atoms(session, outcome, *atoms);
    return report;
  }
  // With a memory trace, no session is kept, because a trace begins with the allocations of the weights.
  if (request.compute.memory_trace.empty()) {
    kept.keep(text, runtime::store_folder(request.store),
              runtime::weights_folder(request.weights) / request.encoder, session.release());
  }
  return report;
}

}  // namespace molgauge::verbs

namespace molgauge {

MOLGAUGE_REPORT_FIELDS(StageTime, stage, seconds, share)
MOLGAUGE_REPORT_FIELDS(EncodeReport, rows, encoded, from_store, failed_records, failed, width, atom_rows,
                       pair_rows, pair_width, cropped, conformers_made, conformers_from_store, parts_written,
                       parts_kept, molecules_per_second, oom_recoveries, batch_size_planned, batch_size_used,
                       workers, batches_planned, batches, bottleneck, stages, phase)

template <>
verbs::Verb verbs::verb<EncodeRequest>() {
  return planned<EncodeRequest>(budget_row<EncodeRequest>("encode", encode), plan_encode);
}

}  // namespace molgauge
