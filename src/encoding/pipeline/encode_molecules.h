#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "chem/record.h"
#include "core/hash.h"
#include "encoding/pipeline/row_table.h"
#include "headroom/encode.h"
#include "headroom/types.h"
#include "memory/plan/batch_packing.h"
#include "memory/recover/recovery.h"
#include "models/encoders/encoder.h"
#include "runtime/failure_log.h"

namespace headroom::io {
class MoleculeReader;
}

/// Molecules in, rows in the feature store out.
///
///   input ----> work queue ----> workers ----> bounded queue ----> writer
///   (reads, looks up      (featurise chunks, pack          (one transaction for all
///    in the store)         windows, encode batches)         that is finished)
///
/// Every worker both featurises and encodes, taking a batch that is ready before a chunk that is not, so that
/// the processors are shared as the work demands whatever the two cost. Everything in between is bounded: a
/// slow stage makes those before it wait.
namespace headroom::pipeline {

struct AtomPairTables;  // encoding/pipeline/atom_pair_features.h

/// Gives the records one by one, in the order of their rows; nothing at the end. Called from one thread (not
/// the caller's, unless everything is done there); what it throws ends the run.
using MoleculeSource = std::function<std::optional<chem::MoleculeRecord>()>;

/// Records in memory. `records` outlives the source.
MoleculeSource source_of(std::span<const chem::MoleculeRecord> records);
/// The records of an input file. `reader` outlives the source.
MoleculeSource source_of(io::MoleculeReader& reader);

/// Tokens (atoms, for most encoders) of a batch beyond which encoding does not get faster on a CPU.
inline constexpr std::size_t kUsualBatchTokens = 2048;
/// Tokens of the smallest batches that are planned: room for most molecules by themselves. A larger molecule
/// is a batch of its own.
inline constexpr std::size_t kSmallestBatchTokens = 256;

struct PipelineOptions {
  std::size_t threads = 0;  ///< workers; 0: every processor this process may use
  /// Most tokens in a batch, padding counted; a larger molecule is a batch of its own.
  std::size_t batch_tokens = kUsualBatchTokens;
  /// Chunks that wait for each worker, and finished batches of each worker that wait for the writer.
  std::size_t waiting_per_worker = 4;
  std::size_t total = 0;  ///< records the source will give, for the time left; 0: not known
  bool strict = false;    ///< stop at the first record that fails
  bool quiet = false;     ///< no progress display
  /// All stages one after the other in the thread of the caller, with one worker: for a source of one record,
  /// which the queues between the stages surely hold.
  bool in_this_thread = false;
  bool keep_keys = true;               ///< for EncodeOutcome::keys: 16 bytes a record
  std::filesystem::path scratch = {};  ///< for the records that failed, where they are many (FailureLog)
  /// Whether a batch of these molecules is within the plan, beside its tokens; empty: any is.
  memory::BatchFits fits = {};
  /// Bytes that a batch of so many tokens takes at its peak; empty: they grow with the tokens.
  memory::ProjectedBytes projected_bytes;
  memory::AllocatorAccess allocator;  ///< allocator of the encoder's memory
  /// Atoms in space for a record that has none of its own, where the encoder wants them; empty: such a record
  /// fails. Throws InputError with the reason why a molecule has none. Called by several workers at once.
  std::function<chem::Conformer(const chem::MoleculeRecord& record, chem::Coordinates wanted)> conformers;
  /// For an encoder that gives features of atoms or of pairs: where they are kept, before the rows; null:
  /// they are not computed.
  const AtomPairTables* fine = nullptr;
  /// Run first in every worker thread, before it calls the encoder (LibTorch's threads are set there, say).
  std::function<void()> on_worker_start;
};

struct EncodeOutcome {
  std::size_t rows = 0;        ///< records of the input
  std::size_t encoded = 0;     ///< distinct molecules computed by this run
  std::size_t from_store = 0;  ///< rows that needed no computing: found finished, or the text came twice
  FailureLog failed;           ///< by row; every row of a text that comes several times
  /// Keys of the rows of all records, in the order of the input. Empty unless they are kept.
  std::vector<Hash128> keys;
  std::size_t batches = 0;  ///< batches that were encoded
  std::size_t cropped = 0;  ///< encoded molecules that have more atoms than the encoder takes
  double seconds = 0;       ///< wall clock
  std::vector<StageTime> stages;
  std::string bottleneck;         ///< the stage that more threads or a faster disk would have to speed up
  memory::RecoveryCounts memory;  ///< units: tokens in a batch
};

/// The key of a record in the store: the hash of its whole text, for a mol block with its coordinates, so
/// that each shape of a molecule has a row of its own. The way in which missing coordinates are made is part
/// of the feature space (row_table.h).
Hash128 key_of(const chem::MoleculeRecord& record);

/// Makes sure that the table has the row of every record of the source that is a molecule. Each distinct text
/// without a row is encoded once. A record fails when chem::perceive or the encoder's featurise throws
/// InputError, or its row has numbers that are not finite; it then has no row.
///
/// The molecules of a batch depend only on the input, the table and batch_tokens, not on threads or timing,
/// so a run gives the same bytes every time. Only if memory runs out, the failed batch is encoded in parts,
/// and later batches are smaller (memory/recover/recovery.h).
///
/// Finished batches are written at once, together with those that finished during the previous transaction:
/// only the work of one such transaction is not yet on disk.
///
/// Throws, after finished work has been written: Interrupted once the user has asked to stop; in strict mode
/// InputError with file, line and reason of the first record that failed; Error with ExitCode::over_budget
/// when not even one molecule at a time fits the memory; and what the source, the encoder or the table
/// throws.
EncodeOutcome encode_molecules(const MoleculeSource& source, const encoders::Encoder& encoder,
                               RowTable& table, const PipelineOptions& options);

}  // namespace headroom::pipeline
