// `headroom encode`.

#include "engine/encoding_session.h"
#include "engine/molecule_input.h"
#include "engine/verbs.h"
#include "ops/device.h"
#include "ops/device_memory.h"
#include "pipeline/feature_file.h"

namespace headroom::verbs {

EncodeReport encode(const EncodeRequest& request) {
  if (!request.out.empty()) {
    pipeline::require_feature_format(request.out);
  }
  const auto source = molecules_of(request.molecules, request.smiles_column);
  memory::PhaseRecorder recorder(ops::device_probe(ops::parse_device(request.compute.device)));
  EncodingSession session({.encoder = request.encoder,
                           .store = request.store,
                           .weights = request.weights,
                           .batch_atoms = request.batch_atoms,
                           .strict = request.strict,
                           .compute = request.compute},
                          recorder);
  pipeline::EncodeOutcome outcome =
      session.encode(source, count_molecules(request.molecules, request.smiles_column));
  if (!request.out.empty()) {
    pipeline::write_feature_file(request.out, session.table(), session.encoder().width(), outcome);
  }

  EncodeReport report;
  report.rows = outcome.rows;
  report.encoded = outcome.encoded;
  report.from_store = outcome.from_store;
  report.failed = std::move(outcome.failed);
  report.width = session.encoder().width();
  report.molecules_per_second = static_cast<double>(outcome.encoded) / outcome.seconds;
  report.oom_recoveries = outcome.memory.recoveries;
  report.batch_size_planned = outcome.memory.planned;
  report.batch_size_used = outcome.memory.used;
  report.bottleneck = outcome.bottleneck;
  report.phase = recorder.report("encoding");
  return report;
}

}  // namespace headroom::verbs
