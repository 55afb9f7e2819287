#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "headroom/types.h"
#include "headroom/validation_test_gap.h"

namespace headroom {

struct EvaluateReport;
struct ScoreReport;

/// The model and the features that it is applied to. A run folder of Headroom knows its encoder and features.
/// A run of the Python project (a .pth file, or a folder with best_model.pth) may not; the two fields then
/// name them.
struct ModelChoice {
  std::string run;
  std::string encoder;   ///< name of an encoder; empty: the encoder that the run names
  std::string features;  ///< native, imported:NAME; empty: the run's, native for a Python run
  std::string store, weights;
  /// As in PlacementOptions, whose other options are the run's.
  std::optional<double> conformer_deadline;
};

/// `headroom evaluate`: the run's best model on the test parts of its benchmark, or of another one.
struct EvaluateRequest : ModelChoice {
  using Report = EvaluateReport;

  std::string data;       ///< another benchmark; empty: the run's own
  std::string data_path;  ///< folder in which names of data sets are looked up
  /// Accept test molecules that the run was trained or selected on, or that are in both test parts.
  bool allow_overlap = false;
  /// Folder for the results. Empty: the run folder; for a Python run nothing is written then, because its own
  /// results have the same names.
  std::string out;
  /// In CSV files, an apostrophe before a text that a spreadsheet would take for a formula
  /// (docs/reference/formats.md).
  bool spreadsheet_safe = false;
  ComputeOptions compute;
};

struct EvaluateReport {
  double auroc = 0, aupr = 0, fpr95 = 0;  ///< fractions
  double id_mean_energy = 0, ood_mean_energy = 0, id_std_energy = 0, ood_std_energy = 0;
  std::size_t id_count = 0, ood_count = 0;
  /// Molecules in parts that must not share any, which were accepted; none: the molecules that the run was
  /// trained on are not known.
  std::optional<std::size_t> shared_molecules = 0;
  /// The comparison with the validation molecules. None if their scores are not known.
  std::optional<ValidationTestGap> validation_test_gap;
  std::size_t failed_records = 0;
  std::vector<FailedMolecule> failed;  ///< the first of them, a thousand at most
  std::vector<PhaseReport> phases;
};

/// `headroom score`: how far new molecules are out of distribution by a run of `headroom train` (energies) or
/// `headroom baseline`, or a folder of `headroom domain --save`; larger means further out.
struct ScoreRequest : ModelChoice {
  using Report = ScoreReport;

  std::string molecules;
  std::string smiles_column = "smiles";
  std::string method;             ///< name of a method in a folder of baselines; empty: the only one in it
  std::string out;                ///< .csv; empty: nothing is written
  std::string page;               ///< .html, a page like that of `headroom domain`; empty: none
  std::size_t page_rows = 10000;  ///< molecules that the page lists at most
  /// Molecules that score higher are called out of distribution; none: by the run's held-out molecules.
  std::optional<double> threshold;
  /// Share of molecules like the run's own, in (0, 1), that are to lie at or below the threshold.
  double id_recall = 0.95;
  /// Column with the predictions of the user's model, for classes the probability of class 1. They are judged
  /// with the calibration in a saved domain. Empty: predictions are not judged.
  std::string prediction_column;
  std::string uncertainty_column;          ///< empty: as in the calibration
  std::string lower_column, upper_column;  ///< of predicted quantiles; empty: as in the calibration
  bool strict = false;
  /// In CSV files, an apostrophe before a text that a spreadsheet would take for a formula
  /// (docs/reference/formats.md).
  bool spreadsheet_safe = false;
  ComputeOptions compute;
};

/// Numbers are NaN for a failed molecule, and where they cannot be computed.
struct ScoredMolecule {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  std::size_t row = 0, line = 0;
  std::vector<std::string> input;  ///< the molecule's cells, one for each ScoreReport::input_columns
  float score = std::numeric_limits<float>::quiet_NaN();  ///< for a run over several seeds, their mean
  double deviation = kNone;  ///< several seeds: sample deviation, each about its mean of held-out molecules
  double disagreement = kNone;  ///< several seeds: share of the seeds whose verdict is not the majority's
  /// Energy heads: 0 to 1, how much the molecule resembles the OOD molecules that the head was trained on,
  /// rather than its ID molecules (Platt's sigmoid of the validation scores). It is not a probability for
  /// other chemistry, and it does not decide the verdict.
  double resembles_training_ood = kNone;
  double p_value = kNone;  ///< saved domain: conformal p-value; 1 for its training molecules
  bool in_training =
      false;  ///< saved domain: the run has seen it, so that it is never called out of distribution
  std::vector<std::string> prediction = {};  ///< cells of prediction_columns; empty if it failed
};

struct ScoreReport {
  /// The columns of a table; for other inputs line, smiles and, where there may be names, name.
  std::vector<std::string> input_columns;
  std::size_t smiles_column = 0;  ///< index of the column that holds the SMILES
  /// "energy_score"; for a baseline "knn_score" and the like; for a saved domain "domain_distance".
  std::string score_name;
  bool is_domain = false;  ///< the run is a saved domain
  /// The columns on predictions, as in domain.csv (docs/reference/formats.md). Empty without a prediction
  /// column.
  std::vector<std::string> prediction_columns = {};
  std::size_t seeds = 1;                  ///< seeds of the run
  std::vector<ScoredMolecule> molecules;  ///< one per input record, in input order
  std::optional<double> threshold;        ///< a molecule that scores higher is called out of distribution
  std::string threshold_origin;           ///< a sentence: where the threshold comes from, or why none
  bool has_resemblance = false;           ///< molecules have resembles_training_ood
  /// The gap between the validation and the test molecules of an energy run, if it was measured.
  std::optional<ValidationTestGap> validation_test_gap;
  std::string warning;  ///< a sentence about a large gap; empty: none
  std::size_t failed_records = 0;
  /// Molecules in memory: all of them, by row. Files: the first of them, a thousand at most.
  std::vector<FailedMolecule> failed;
  std::vector<PhaseReport> phases;
};

}  // namespace headroom
