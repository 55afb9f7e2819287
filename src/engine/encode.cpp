// `headroom encode`.

#include "engine/verbs.h"
#include "pipeline/feature_file.h"
#include "session/device_choice.h"
#include "session/encoding/encoding_session.h"
#include "session/encoding/molecule_input.h"
#include "session/failed_records.h"
#include "session/later_needs.h"

namespace headroom::verbs {

EncodeReport encode(const EncodeRequest& request) {
  if (!request.out.empty()) {
    pipeline::require_feature_format(request.out);
  }
  const auto source = session::molecules_of(request.molecules, request.smiles_column);
  session::MemorySession memory(request.compute, session::parse_device(request.compute.device));
  session::EncodingSession session({.encoder = request.encoder,
                                    .store = request.store,
                                    .weights = request.weights,
                                    .batch_atoms = request.batch_atoms,
                                    .strict = request.strict,
                                    .keep_keys = !request.out.empty(),
                                    .compute = request.compute},
                                   memory);
  session::MoleculeList molecules = session::list_molecules(request.molecules, request.smiles_column);
  if (!request.out.empty()) {
    memory.foresee(session::need_of_feature_file(request.out, molecules.records, session.encoder().width()));
  }
  const bool is_known = molecules.records > 0;
  pipeline::EncodeOutcome outcome = session.encode(source, std::move(molecules));
  if (!request.out.empty()) {
    pipeline::write_feature_file(request.out, session.table(), session.encoder().width(), outcome,
                                 csv_texts(request.spreadsheet_safe));
  }

  EncodeReport report;
  report.rows = outcome.rows;
  report.encoded = outcome.encoded;
  report.from_store = outcome.from_store;
  session::report_failed(outcome.failed, report);
  report.width = session.encoder().width();
  report.molecules_per_second = static_cast<double>(outcome.encoded) / outcome.seconds;
  report.oom_recoveries = outcome.memory.recoveries;
  report.batch_size_planned = outcome.memory.planned;
  report.batch_size_used = outcome.memory.used;
  report.batches = outcome.batches;
  report.workers = session.workers();
  report.plan = session.plan();
  if (is_known && report.plan.chosen) {
    report.batches_planned = report.plan.alternatives[*report.plan.chosen].batches;
  }
  report.bottleneck = outcome.bottleneck;
  report.stages = std::move(outcome.stages);
  report.phase = memory.phases().report("encoding");
  return report;
}

}  // namespace headroom::verbs
