#pragma once

#include "molgauge/choices.h"
#include "molgauge/conformers.h"
#include "molgauge/memory_plan.h"
#include "molgauge/types.h"

namespace molgauge {

struct EncodeReport;

/// `molgauge encode`: encodes molecules and stores their features.
struct EncodeRequest {
  using Report = EncodeReport;

  std::string molecules;  ///< .csv, .tsv, .smi, .sdf, .json (DrugOOD), each also .gz; "-" is stdin
  std::string smiles_column = "smiles";  ///< name of the SMILES column in .csv and .tsv files
  std::string encoder = "minimol";       ///< name of the encoder
  std::string out;  ///< .npy, .safetensors or .h5. If empty, features are only stored in the feature store
  /// Files for the features of atoms and of pairs of atoms (.npz or .h5). Only some encoders have these
  /// features. If empty, the features are not computed.
  std::string atom_features, pair_features;
  std::string store;    ///< folder of the feature store. If empty, $MOLGAUGE_HOME/store is used
  std::string weights;  ///< folder of installed weights. If empty, $MOLGAUGE_HOME/weights is used
  /// The shard to encode. "3/8" divides the records by position into eight shards and encodes the third.
  /// `out` is then the folder of all shards, which consist of parts (docs/reference/formats.md). If `store`
  /// is empty, Molgauge uses a store on the local disk of this machine and empties it after every part.
  std::string shard;
  std::size_t part_rows = 16'384;  ///< maximum number of rows in a part
  PartType part_type = PartType::float32;
  bool strict = false;          ///< stop at the first record that is not a molecule
  std::size_t batch_atoms = 0;  ///< atoms in a batch. If 0, the planner chooses the number
  /// In CSV files, write an apostrophe before a text that a spreadsheet would evaluate as a formula
  /// (docs/reference/formats.md).
  bool spreadsheet_safe = false;
  PlacementOptions placement;
  ComputeOptions compute;
};

/// The time of one stage of the pipeline.
struct StageTime {
  std::string stage;   ///< read, look up, featurise, pack, encode, write
  double seconds = 0;  ///< busy time, summed over the threads of the stage
  /// Busy seconds divided by the available seconds of the threads of the stage. The stages `read` and `look
  /// up` share a thread. The stages `featurise`, `pack` and `encode` share the workers. If no thread ever
  /// waits, the shares of the stages that share threads add up to 1.
  double share = 0;
};

struct EncodeReport {
  std::size_t rows = 0;        ///< records of the input
  std::size_t encoded = 0;     ///< molecules that this run encoded, each counted once
  std::size_t from_store = 0;  ///< rows that were already in the store
  std::size_t failed_records = 0;
  /// The failed molecules, sorted by row. For a file, at most the first 1,000. NAME.failed.csv contains all
  /// of them.
  std::vector<FailedMolecule> failed;
  std::size_t width = 0;
  std::size_t atom_rows = 0, pair_rows = 0;  ///< rows of the files of atom features and pair features
  std::size_t pair_width = 0;                ///< numbers for each pair. 0 if the encoder has no pair features
  /// Molecules with more atoms than the encoder uses. Molecules from the store are not counted.
  std::size_t cropped = 0;
  /// For 3D encoders: conformers made by this run, and conformers from the store.
  std::size_t conformers_made = 0, conformers_from_store = 0;
  /// For a shard: parts written by this run, and intact parts of earlier runs.
  std::size_t parts_written = 0, parts_kept = 0;
  double molecules_per_second = 0;  ///< molecules computed by this run, per second
  std::size_t oom_recoveries = 0;   ///< number of recoveries from out-of-memory errors
  std::size_t batch_size_planned = 0, batch_size_used = 0;  ///< atoms per batch: planned, and used at the end
  std::size_t workers = 0;                                  ///< workers that encoded in parallel
  /// Planned batches, and batches that were encoded. `batches_planned` is 0 if the number is not known in
  /// advance.
  std::size_t batches_planned = 0, batches = 0;
  MemoryPlan plan;         ///< plan of one worker, as in `molgauge memory plan encode`
  std::string bottleneck;  ///< the busiest stage of the pipeline
  std::vector<StageTime> stages;
  PhaseReport phase;
};

}  // namespace molgauge
