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

/// A trained model and its features. A run folder of Headroom contains its encoder and features. For a run of
/// the Python project (a .pth file, or a folder with best_model.pth), you may have to name them in these two
/// fields.
struct ModelChoice {
  std::string run;
  std::string encoder;   ///< name of an encoder; empty: as in the run
  std::string features;  ///< native, imported:NAME; empty: as in the run, or native for a Python run
  std::string store, weights;
  /// As in PlacementOptions. The run determines the other options.
  std::optional<double> conformer_deadline;
};

/// `headroom evaluate`: applies the best model of a run to the test parts of its benchmark or of another one.
struct EvaluateRequest : ModelChoice {
  using Report = EvaluateReport;

  std::string data;       ///< another benchmark; empty: the benchmark of the run
  std::string data_path;  ///< folder in which names of data sets are looked up
  /// Accept test molecules that were used to train or select the model, or that are in both test parts.
  bool allow_overlap = false;
  /// Folder for the results. Empty: the run folder. For a Python run, nothing is then written, because its
  /// own results have the same names.
  std::string out;
  /// Write an apostrophe in CSV files before a text that a spreadsheet would evaluate as a formula
  /// (docs/reference/formats.md).
  bool spreadsheet_safe = false;
  ComputeOptions compute;
};

struct EvaluateReport {
  double auroc = 0, aupr = 0, fpr95 = 0;  ///< fractions
  double id_mean_energy = 0, ood_mean_energy = 0, id_std_energy = 0, ood_std_energy = 0;
  std::size_t id_count = 0, ood_count = 0;
  /// Accepted molecules in parts that must not share any. None: the training molecules of the run are not
  /// known.
  std::optional<std::size_t> shared_molecules = 0;
  /// The comparison with the validation molecules. Not set if their scores are not known.
  std::optional<ValidationTestGap> validation_test_gap;
  std::size_t failed_records = 0;
  std::vector<FailedMolecule> failed;  ///< the first 1,000 failed molecules, at most
  std::vector<PhaseReport> phases;
};

/// `headroom score`: scores how far new molecules are out of distribution. The model is a run of `headroom
/// train` (energies) or `headroom baseline`, or a folder of `headroom domain --save`. A larger score is
/// further out.
struct ScoreRequest : ModelChoice {
  using Report = ScoreReport;

  std::string molecules;
  std::string smiles_column = "smiles";
  std::string method;             ///< method in a folder of baselines; empty: the only one
  std::string out;                ///< .csv; empty: nothing is written
  std::string page;               ///< .html, a page like the page of `headroom domain`; empty: none
  std::size_t page_rows = 10000;  ///< maximum number of molecules on the page
  /// Molecules with a higher score are out of distribution. None: the threshold follows from held-out
  /// molecules of the run.
  std::optional<double> threshold;
  /// Share of in-distribution molecules whose score is at most the threshold. In (0, 1).
  double id_recall = 0.95;
  /// Column with the predictions of your model. For classes, the probability of class 1. They are judged with
  /// the calibration in a saved domain. Empty: predictions are not judged.
  std::string prediction_column;
  std::string uncertainty_column;          ///< empty: the column of the calibration
  std::string lower_column, upper_column;  ///< columns of predicted quantiles; empty: as in the calibration
  bool strict = false;
  /// Write an apostrophe in CSV files before a text that a spreadsheet would evaluate as a formula
  /// (docs/reference/formats.md).
  bool spreadsheet_safe = false;
  ComputeOptions compute;
};

/// Numbers are NaN if the molecule failed or the number cannot be computed.
struct ScoredMolecule {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  std::size_t row = 0, line = 0;
  std::vector<std::string> input;  ///< cells of the input, one for each ScoreReport::input_columns
  float score = std::numeric_limits<float>::quiet_NaN();  ///< score of the molecule. For a run with several
                                                          ///< seeds, the mean of the scores
  double deviation = kNone;     ///< several seeds: sample deviation of the scores, after the mean of the
                                ///< held-out molecules was subtracted for each seed
  double disagreement = kNone;  ///< several seeds: share of the seeds that disagree with the majority
  /// Energy heads: a number from 0 to 1. 1: the molecule is like the OOD molecules of the training. 0: it is
  /// like the ID molecules. Computed by Platt scaling on the validation scores. For other chemistry, the
  /// number is not a probability. It does not affect the verdict.
  double resembles_training_ood = kNone;
  double p_value = kNone;    ///< saved domain: conformal p-value; 1 for training molecules
  bool in_training = false;  ///< a training molecule of a saved domain, which is never out of distribution
  std::vector<std::string> prediction = {};  ///< cells of prediction_columns; empty if the molecule failed
};

struct ScoreReport {
  /// The columns of a table. For other inputs: line, smiles and, if the format has names, name.
  std::vector<std::string> input_columns;
  std::size_t smiles_column = 0;  ///< index of the column with the SMILES
  /// "energy_score", "knn_score" and so on for a baseline, "domain_distance" for a saved domain.
  std::string score_name;
  bool is_domain = false;  ///< the run is a saved domain
  /// The columns about predictions, as in domain.csv (docs/reference/formats.md). Empty without a prediction
  /// column.
  std::vector<std::string> prediction_columns = {};
  std::size_t seeds = 1;                  ///< seeds of the run
  std::vector<ScoredMolecule> molecules;  ///< one for each input record, in the order of the input
  std::optional<double> threshold;        ///< a molecule with a higher score is out of distribution
  std::string threshold_origin;           ///< a sentence: the origin of the threshold, or why there is none
  bool has_resemblance = false;           ///< whether molecules have the number resembles_training_ood
  /// The gap between the validation and the test molecules of an energy run, if it was measured.
  std::optional<ValidationTestGap> validation_test_gap;
  std::string warning;  ///< a sentence about a large gap; empty: none
  std::size_t failed_records = 0;
  /// For molecules in memory: all failures, by row. For files: the first 1,000 at most.
  std::vector<FailedMolecule> failed;
  std::vector<PhaseReport> phases;
};

}  // namespace headroom
