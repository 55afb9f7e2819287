#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/core/hash.h"
#include "base/memory/plan/batch_packing.h"
#include "base/memory/recover/recovery.h"
#include "base/runtime/failure_log.h"
#include "molecules/chem/record.h"
#include "molecules/encoders/encoder.h"
#include "molecules/encoding/pipeline/row_table.h"
#include "molgauge/encode.h"
#include "molgauge/types.h"

namespace molgauge::io {
class MoleculeReader;
}

/// Encodes molecules and stores their rows in the feature store.
///
///   input ----> work queue ----> workers ----> bounded queue ----> writer
///   (reads, looks up      (featurise chunks, pack          (one transaction for all
///    in the store)         windows, encode batches)         that is finished)
///
/// Every worker featurises and encodes. Workers prefer a ready batch to a chunk, which balances the two
/// tasks. All queues are bounded, so a slow stage makes the earlier stages wait.
namespace molgauge::pipeline {

struct AtomPairTables;  // molecules/encoding/pipeline/atom_pair_features.h

/// Returns the next record in the order of the rows, or nothing at the end. Always called from the same
/// thread: from a thread of the pipeline, or from the calling thread if `in_this_thread` is set. An exception
/// ends the run.
using MoleculeSource = std::function<std::optional<chem::MoleculeRecord>()>;

/// Makes a source that returns these records. `records` must outlive the source.
MoleculeSource source_of(std::span<const chem::MoleculeRecord> records);
/// Makes a source that returns the records from `reader`. `reader` must outlive the source.
MoleculeSource source_of(io::MoleculeReader& reader);

/// The usual number of tokens (atoms, for most encoders) in a batch. Larger batches do not make encoding
/// faster on a CPU.
inline constexpr std::size_t kUsualBatchTokens = 2048;
/// The usual number of tokens in a batch on a GPU. On an H200, MiniMol is three times as fast with such
/// batches as with kUsualBatchTokens, because the host starts fewer kernels. Larger batches are not faster
/// (docs/results/gpu.md).
inline constexpr std::size_t kUsualGpuBatchTokens = 16384;
/// The number of tokens in the smallest planned batches. Most molecules have fewer tokens. A larger molecule
/// is its own batch.
inline constexpr std::size_t kSmallestBatchTokens = 256;

struct PipelineOptions {
  /// Number of workers. If 0, there is one worker for each processor that this process may use.
  std::size_t threads = 0;
  /// The maximum number of tokens in a batch, padding included. A larger molecule is its own batch.
  std::size_t batch_tokens = kUsualBatchTokens;
  /// Maximum number of waiting chunks for each worker. Also the maximum number of finished batches from each
  /// worker that wait for the writer.
  std::size_t waiting_per_worker = 4;
  /// Number of records in the source, to estimate the remaining time. If 0, the number is unknown.
  std::size_t total = 0;
  bool strict = false;  ///< stop at the first record that fails
  bool quiet = false;   ///< do not show progress
  /// Runs all stages in turn in the thread of the caller, with one worker. Use it only for a source of one
  /// record, because the queues between the stages must hold the whole input.
  bool in_this_thread = false;
  bool keep_keys = true;  ///< whether to fill EncodeOutcome::keys, which takes 16 bytes for each record
  std::filesystem::path scratch =
      {};  ///< folder of the temporary file for a long list of failed records (FailureLog)
  /// Tells whether a batch of these molecules fits the plan. A batch must also keep the limit on tokens. If
  /// the function is empty, only the limit on tokens applies.
  memory::BatchFits fits = {};
  /// Peak bytes of a batch with this number of tokens. If empty, the bytes are assumed to be proportional to
  /// the tokens.
  memory::ProjectedBytes projected_bytes;
  memory::AllocatorAccess allocator;  ///< allocator of the encoder's memory
  /// Makes a conformer for a record without 3D coordinates, if the encoder needs them. If the function is
  /// empty, such a record fails. The function throws InputError with the reason if a molecule has no
  /// conformer. Several workers call it at once.
  std::function<chem::Conformer(const chem::MoleculeRecord& record, chem::Coordinates wanted)> conformers;
  /// The tables for atom features and pair features. The features of a molecule are written before its row.
  /// If null, these features are not computed.
  const AtomPairTables* fine = nullptr;
  /// Runs first in every worker thread, before it calls the encoder, for example to set the threads of
  /// LibTorch.
  std::function<void()> on_worker_start;
};

struct EncodeOutcome {
  std::size_t rows = 0;        ///< records of the input
  std::size_t encoded = 0;     ///< distinct molecules computed by this run
  std::size_t from_store = 0;  ///< number of rows that were not encoded, because the store already had them
                               ///< or their text occurred earlier in this input
  FailureLog failed;  ///< failed records in the order of the rows. If a failed text occurs in several rows,
                      ///< each of these rows has an entry
  /// Keys of the rows of all records, in the order of the input. The list is empty unless `keep_keys` is set.
  std::vector<Hash128> keys;
  std::size_t batches = 0;  ///< batches that were encoded
  std::size_t cropped = 0;  ///< encoded molecules with more atoms than the encoder uses
  double seconds = 0;       ///< wall time
  std::vector<StageTime> stages;
  std::string
      bottleneck;  ///< the stage that limits the speed, for example because of too few threads or a slow disk
  memory::RecoveryCounts memory;  ///< recoveries from out-of-memory errors. The unit is tokens in a batch
};

/// Returns the key of a record in the store, which is the hash of its whole text. A mol block contains
/// coordinates, so each conformer of a molecule has its own row. The options for missing coordinates are part
/// of the feature space (row_table.h) and not of the key.
Hash128 key_of(const chem::MoleculeRecord& record);

/// Encodes the molecules of the source that have no row in the table. Each distinct text is encoded once. A
/// record fails if chem::perceive or the featuriser of the encoder throws InputError, or if its row is not
/// finite. A failed record gets no row.
///
/// The molecules of a batch depend only on the input, the table and batch_tokens. They do not depend on
/// threads or timing, so every run gives identical bytes. The only exception is a run in which memory runs
/// out. The failed batch is then encoded in parts, and later batches are smaller
/// (base/memory/recover/recovery.h).
///
/// A transaction writes all batches that finished during the previous transaction. If the process is killed,
/// only the batches after the last finished transaction are lost.
///
/// All exceptions are thrown after finished work has been written. Throws Interrupted if the user has asked
/// to stop. In strict mode, throws InputError that names the file, the line and the reason of the first
/// failed record. Throws Error with ExitCode::over_budget if a batch of one molecule does not fit in memory.
/// Throws the exceptions of the source, the encoder and the table.
EncodeOutcome encode_molecules(const MoleculeSource& source, const encoders::Encoder& encoder,
                               RowTable& table, const PipelineOptions& options);

}  // namespace molgauge::pipeline
