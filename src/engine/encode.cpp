// `headroom encode`.

#include <fmt/format.h>

#include "core/counted.h"
#include "core/error.h"
#include "encoders/registry.h"
#include "engine/verbs.h"
#include "pipeline/feature_file.h"
#include "pipeline/feature_rows.h"
#include "session/device_choice.h"
#include "session/encoding/encoding_session.h"
#include "session/encoding/molecule_input.h"
#include "session/failed_records.h"
#include "session/later_needs.h"

namespace headroom::verbs {

namespace {

session::EncodingSettings settings_of(const EncodeRequest& request, bool keep_keys) {
  return {.encoder = request.encoder,
          .store = request.store,
          .weights = request.weights,
          .batch_atoms = request.batch_atoms,
          .strict = request.strict,
          .keep_keys = keep_keys,
          .compute = request.compute};
}

EncodeReport report_of(pipeline::EncodeOutcome& outcome, const session::EncodingSession& session,
                       session::MemorySession& memory) {
  EncodeReport report;
  report.rows = outcome.rows;
  report.encoded = outcome.encoded;
  report.from_store = outcome.from_store;
  session::report_failed(outcome.failed, report);
  report.width = session.encoder().width();
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

}  // namespace

EncodeReport encode(const EncodeRequest& request) {
  if (!request.out.empty()) {
    pipeline::require_feature_format(request.out);
  }
  const auto source = session::molecules_of(request.molecules, request.smiles_column);
  encoders::require_device(request.encoder, request.compute.device);
  session::MemorySession memory(request.compute, session::parse_device(request.compute.device));
  session::EncodingSession session(settings_of(request, !request.out.empty()), memory);
  session::MoleculeList molecules = session::list_molecules(request.molecules, request.smiles_column);
  if (!request.out.empty()) {
    memory.foresee(session::need_of_feature_file(request.out, molecules.records, session.encoder().width()));
  }
  const bool is_known = molecules.records > 0;
  pipeline::EncodeOutcome outcome = session.encode(source, std::move(molecules));
  if (!request.out.empty()) {
    pipeline::write_feature_file(request.out, session.table(), session.encoder().width(), outcome,
                                 csv_texts(request.spreadsheet_safe),
                                 session.encoder().identity().random_weights);
  }
  EncodeReport report = report_of(outcome, session, memory);
  if (is_known && report.plan.chosen) {
    report.batches_planned = report.plan.alternatives[*report.plan.chosen].batches;
  }
  return report;
}

EncodeReport encode(const EncodeRequest& request, std::span<const std::string> smiles,
                    std::span<float> rows) {
  if (!request.molecules.empty() || !request.out.empty()) {
    throw UsageError(
        "molecules at hand are encoded into memory; leave out the names of molecule and feature files");
  }
  std::vector<chem::MoleculeRecord> records(smiles.size());
  for (std::size_t row = 0; row < smiles.size(); ++row) {
    records[row].text = smiles[row];
    records[row].row = row;
    records[row].line = row + 1;
    records[row].file = "molecules";
  }
  encoders::require_device(request.encoder, request.compute.device);
  session::MemorySession memory(request.compute, session::parse_device(request.compute.device));
  session::EncodingSession session(settings_of(request, true), memory);
  const std::size_t width = session.encoder().width();
  if (rows.size() != smiles.size() * width) {
    throw UsageError(
        fmt::format("room for {} numbers was given for the features of {}, which take {} ({} each)",
                    rows.size(), counted(smiles.size(), "molecule"), smiles.size() * width, width));
  }
  pipeline::EncodeOutcome outcome =
      session.encode(pipeline::source_of(records), session::list_molecules(records));
  pipeline::gather_rows(session.table(), outcome.keys, rows);
  return report_of(outcome, session, memory);
}

}  // namespace headroom::verbs
