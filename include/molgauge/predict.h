#pragma once

#include <optional>
#include <string>
#include <vector>

#include "molgauge/choices.h"
#include "molgauge/in_memory.h"
#include "molgauge/properties.h"
#include "molgauge/types.h"

namespace molgauge {

struct PredictReport;

/// `molgauge predict`: predicts properties with trained chemprop models and stores the predictions.
struct PredictRequest {
  using Report = PredictReport;

  /// A .pt or .ckpt file of chemprop, a folder of .pt files, or the name of installed models ("admet-ai").
  std::string model;
  std::string molecules;                 ///< input, as in EncodeRequest
  std::string smiles_column = "smiles";  ///< name of the SMILES column in .csv and .tsv files
  std::string out;                       ///< .csv with the columns of the input and the predictions
  std::string workbook = {};             ///< .xlsx with the table of `out`; empty: none
  std::string sdf = {};                  ///< .sdf with the molecules and the columns of `out`; empty: none
  std::string store;    ///< folder of the feature store. If empty, $MOLGAUGE_HOME/store is used
  std::string weights;  ///< folder of installed models. If empty, $MOLGAUGE_HOME/weights is used
  /// Columns of `molecules` with descriptors, for models that take descriptors in addition to the molecule.
  /// List them in the order in which the model was trained with them.
  std::vector<std::string> descriptor_columns;
  /// The form of each molecule that is predicted (docs/explanation/standardisation.md). With `none`, which
  /// predicts the drawings as chemprop does, rows are marked if their parent has another prediction.
  Standardize standardize = Standardize::none;
  /// Also predict other SMILES of each chiral molecule, and report how much their predictions differ.
  bool check_spellings = false;
  /// Add the columns of MoleculeProperties (properties.h): weight, log P, structural alerts and others.
  bool describe = false;
  bool strict = false;            ///< stop at the first record that is not a molecule
  bool spreadsheet_safe = false;  ///< as in EncodeRequest
  ComputeOptions compute;
};

/// A task of a model, and its columns in the output.
struct PredictedTask {
  std::string name;
  std::string head;         ///< kind of the head, for example "regression-mve"
  std::size_t members = 0;  ///< number of models whose predictions are averaged
  std::vector<std::string> columns;
  /// Facts about a task of ADMET-AI: its name for readers, its category, its unit, and what a molecule of
  /// class 1 does. Empty for other models.
  std::string title, category, unit, class_one;
  std::optional<double> lowest, highest;  ///< plausible range of the predictions. Not set without a limit
  std::size_t importance = 0;             ///< position in the order in which pages list the tasks
  std::size_t implausible_rows = 0;       ///< rows with a prediction outside the plausible range
  /// Whether the last of `columns` is the percentile among the approved drugs of ADMET-AI.
  bool has_percentile = false;
  /// Only with `check_spellings`. The spread of a chiral molecule is the largest minus the smallest
  /// prediction for its SMILES. The fields are the median and the largest spread of all chiral molecules. The
  /// column spelling_spread_TASK contains the spread of each molecule.
  double median_spread = 0, largest_spread = 0;
  /// Only if drawings are predicted. The prediction for a parent differs from the prediction for the drawing
  /// if the difference is larger than `parent_tolerance`: 0.1 for a probability, and 0.1 standard deviations
  /// of the training values for a regression (0.1 if the checkpoint does not contain this deviation).
  double parent_tolerance = 0;
  std::size_t parent_differs_rows = 0;   ///< rows with such a difference
  double largest_parent_difference = 0;  ///< largest difference, in units of the prediction
};

struct PredictReport {
  std::size_t rows = 0;        ///< records of the input
  std::size_t predicted = 0;   ///< molecules that this run predicted, each counted once
  std::size_t from_store = 0;  ///< rows whose predictions were in the store
  std::size_t failed_records = 0;
  std::size_t chiral_rows = 0;  ///< only with `check_spellings`: rows that were predicted with several SMILES
  /// Only with `standardize`: rows whose standardised form, which was predicted, differs from the drawing.
  std::size_t standardized_rows = 0;
  /// Only if drawings are predicted: rows whose parent differs from the drawing and was predicted, too, and
  /// the rows among them with another prediction for the parent in at least one task.
  std::size_t parent_rows = 0, parent_differs_rows = 0;
  std::string parent_example;          ///< the row with the largest such difference, or empty
  std::vector<FailedMolecule> failed;  ///< at most the first 1,000 failed molecules. NAME.failed.csv has all
                                       ///< of them
  std::size_t models = 0;              ///< checkpoints that were read
  std::vector<PredictedTask> tasks;
  double molecules_per_second = 0;  ///< molecules predicted by this run, per second
  std::size_t oom_recoveries = 0;   ///< number of recoveries from out-of-memory errors
  std::size_t workers = 0;          ///< workers that predicted batches in parallel
  PhaseReport phase;
};

/// Predictions for molecules in memory.
struct PredictedList {
  /// The output columns of `molgauge predict`. Each has one number per molecule, or NaN if there is no
  /// prediction.
  std::vector<MoleculeTable::Numbers> columns;
  /// Whether the parent has another prediction, one for each molecule. Empty with `standardize`.
  std::vector<bool> parent_differs;
  /// One for each molecule with `describe`, otherwise empty. Not set if the molecule is unreadable.
  std::vector<std::optional<MoleculeProperties>> properties;
  PredictReport report;  ///< `failed` holds all failed molecules
};

}  // namespace molgauge
