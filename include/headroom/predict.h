#pragma once

#include <string>
#include <vector>

#include "headroom/in_memory.h"
#include "headroom/types.h"

namespace headroom {

struct PredictReport;

/// `headroom predict`: predicts with trained chemprop models and stores the predictions.
struct PredictRequest {
  using Report = PredictReport;

  /// A .pt or .ckpt file of chemprop, a folder of .pt files, or the name of installed models ("admet-ai").
  std::string model;
  std::string molecules;                 ///< input, as in EncodeRequest
  std::string smiles_column = "smiles";  ///< name of the SMILES column in .csv and .tsv files
  std::string out;                       ///< .csv with the columns of the input and the predictions
  std::string store;                     ///< folder of the feature store. Empty: $HEADROOM_HOME/store
  std::string weights;                   ///< folder of installed models. Empty: $HEADROOM_HOME/weights
  /// Columns of the molecules with the descriptors that the model takes in addition to the molecule, in the
  /// order in which it was trained on them.
  std::vector<std::string> descriptor_columns;
  /// Predicts other spellings of each chiral molecule, too, and reports how much the predictions differ.
  bool check_spellings = false;
  bool strict = false;            ///< stop at the first record that is not a molecule
  bool spreadsheet_safe = false;  ///< described in EncodeRequest
  ComputeOptions compute;
};

/// A task of a model, and its columns in the output.
struct PredictedTask {
  std::string name;
  std::string head;         ///< kind of the head, for example "regression-mve"
  std::size_t members = 0;  ///< models whose predictions are averaged
  std::vector<std::string> columns;
  /// With `check_spellings`: the spread of the predictions over the spellings of a chiral molecule, median
  /// and largest of all chiral molecules. The last column of the task holds it for each molecule.
  double median_spread = 0, largest_spread = 0;
};

struct PredictReport {
  std::size_t rows = 0;        ///< records of the input
  std::size_t predicted = 0;   ///< distinct molecules predicted by this run
  std::size_t from_store = 0;  ///< rows whose predictions were in the store
  std::size_t failed_records = 0;
  std::size_t chiral_rows = 0;  ///< with `check_spellings`: rows that were predicted in several spellings
  std::vector<FailedMolecule> failed;  ///< the first 1,000 failed molecules, at most. NAME.failed.csv has all
                                       ///< of them
  std::size_t models = 0;              ///< checkpoints that were read
  std::vector<PredictedTask> tasks;
  double molecules_per_second = 0;  ///< molecules predicted by this run, per second
  std::size_t oom_recoveries = 0;   ///< times that memory ran out and the work was still finished
  std::size_t workers = 0;          ///< workers that predicted batches in parallel
  PhaseReport phase;
};

/// Predictions for molecules in memory.
struct PredictedList {
  /// The columns of the output of `headroom predict`, with a number for each molecule. NaN: no prediction.
  std::vector<MoleculeTable::Numbers> columns;
  PredictReport report;  ///< `failed` holds all failed molecules
};

}  // namespace headroom
