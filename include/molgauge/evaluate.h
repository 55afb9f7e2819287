#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "molgauge/choices.h"
#include "molgauge/types.h"
#include "molgauge/validation_test_gap.h"

namespace molgauge {

struct EvaluateReport;
struct ScoreReport;

/// A trained model and its features. A run folder of Molgauge names its encoder and features. A run of the
/// Python project (a .pth file, or a folder with best_model.pth) may lack these names. In this case, set
/// `encoder` and `features`.
struct ModelChoice {
  std::string run;
  std::string encoder;   ///< name of an encoder. If empty, the encoder of the run is used
  std::string features;  ///< native or imported:NAME. If empty, as in the run, or native if the run lacks it
  std::string store, weights;
  /// Deadline as in PlacementOptions. All other conformer options come from the run.
  std::optional<double> conformer_deadline;
};

/// `molgauge evaluate`: applies the best model of a run to the test parts of a benchmark.
struct EvaluateRequest : ModelChoice {
  using Report = EvaluateReport;

  std::string data;       ///< another benchmark. If empty, the benchmark of the run is used
  std::string data_path;  ///< folder of the named data sets
  /// Accept test molecules that were used to train or select the model, or that are in both test parts.
  bool allow_overlap = false;
  /// Folder for the results. If empty, the run folder is used. Nothing is written into a run folder of the
  /// Python project, because its own results have the same names.
  std::string out;
  /// In CSV files, write an apostrophe before a text that a spreadsheet would evaluate as a formula
  /// (docs/reference/formats.md).
  bool spreadsheet_safe = false;
  ComputeOptions compute;
};

struct EvaluateReport {
  double auroc = 0, aupr = 0, fpr95 = 0;  ///< fractions
  double id_mean_energy = 0, ood_mean_energy = 0, id_std_energy = 0, ood_std_energy = 0;
  std::size_t id_count = 0, ood_count = 0;
  /// Molecules that occur in several parts, accepted by allow_overlap. Not set if the training molecules of
  /// the run are not known.
  std::optional<std::size_t> shared_molecules = 0;
  /// The comparison of the AUROC on test molecules with the AUROC on validation molecules. Not set if the
  /// validation scores are not known.
  std::optional<ValidationTestGap> validation_test_gap;
  std::size_t failed_records = 0;
  std::vector<FailedMolecule> failed;  ///< at most the first 1,000 failed molecules
  std::vector<PhaseReport> phases;
};

/// `molgauge score`: scores how far new molecules are out of distribution. A higher score means further out
/// of distribution. The model is an energy head (a run of `molgauge train`), a baseline (a run of `molgauge
/// baseline`) or a saved domain.
struct ScoreRequest : ModelChoice {
  using Report = ScoreReport;

  std::string molecules;
  std::string smiles_column = "smiles";
  /// The form of the molecules that a trained run scores. A saved domain has its own form, so the option is
  /// refused.
  Standardize standardize = Standardize::none;
  std::string method;  ///< method, if `run` is a folder of baselines. If empty, its only method is used
  std::string out;     ///< .csv file. If empty, no file is written
  std::string page;    ///< .html page like the page of `molgauge domain`. If empty, no page is written
  std::size_t page_rows = 10000;  ///< maximum number of molecules on the page
  /// Molecules with a higher score are out of distribution. If not set, the threshold is computed from
  /// held-out molecules of the run and `id_recall`.
  std::optional<double> threshold;
  /// Share of in-distribution molecules that the computed threshold accepts, in (0, 1).
  double id_recall = 0.95;
  /// Column with the predictions of your model. For classes, it contains the probability of class 1. The
  /// calibration of a saved domain judges the predictions. If empty, predictions are not judged.
  std::string prediction_column;
  std::string uncertainty_column;  ///< if empty, the column has the same name as in the calibration
  /// Columns of predicted quantiles. If empty, the columns have the same names as in the calibration.
  std::string lower_column, upper_column;
  bool strict = false;
  /// In CSV files, write an apostrophe before a text that a spreadsheet would evaluate as a formula
  /// (docs/reference/formats.md).
  bool spreadsheet_safe = false;
  ComputeOptions compute;
};

/// A molecule and its score. Numbers are NaN if the molecule failed or if the model does not provide them.
struct ScoredMolecule {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  std::size_t row = 0, line = 0;
  std::vector<std::string> input;  ///< cells of the input, one for each of ScoreReport::input_columns
  /// The score of the molecule. For a run over several seeds, the mean of their scores.
  float score = std::numeric_limits<float>::quiet_NaN();
  /// Only for several seeds: standard deviation of the scores over the seeds, after the mean score of the
  /// held-out molecules has been subtracted for each seed.
  double deviation = kNone;
  /// Only for several seeds: share of the seeds that disagree with the majority.
  double disagreement = kNone;
  /// Only for energy heads: similarity to the OOD molecules of the training, from 0 (like the ID molecules)
  /// to 1 (like the OOD molecules). It is computed by Platt scaling on the validation scores. It is not a
  /// probability for molecules of other chemistry, and it does not affect the verdict.
  double resembles_training_ood = kNone;
  double p_value = kNone;  ///< only for a saved domain: conformal p-value; 1 for training molecules
  /// Only for a saved domain: whether this is a training molecule, which is never out of distribution.
  bool in_training = false;
  std::vector<std::string> prediction = {};  ///< cells of prediction_columns; empty if the molecule failed
};

struct ScoreReport {
  /// The columns of the input if it is a table. For other formats: line, smiles, and name if the format has
  /// names.
  std::vector<std::string> input_columns;
  std::size_t smiles_column = 0;  ///< index of the column with the SMILES
  /// Name of the score: "energy_score", "knn_score" and so on for a baseline, "domain_distance" for a saved
  /// domain.
  std::string score_name;
  bool is_domain = false;  ///< the run is a saved domain
  /// The columns about predictions, named as in domain.csv (docs/reference/formats.md). Empty if the request
  /// has no prediction column.
  std::vector<std::string> prediction_columns = {};
  std::size_t seeds = 1;                  ///< seeds of the run
  std::vector<ScoredMolecule> molecules;  ///< one for each input record, in the order of the input
  std::optional<double> threshold;        ///< a molecule with a higher score is out of distribution
  std::string threshold_origin;  ///< a sentence about the origin of the threshold, or why there is none
  bool has_resemblance = false;  ///< whether `resembles_training_ood` is set
  /// The gap between validation and test AUROC of an energy head, if it was measured.
  std::optional<ValidationTestGap> validation_test_gap;
  std::string warning;  ///< a sentence about a large gap; empty if the gap is small or unknown
  /// Rows whose standardised form, which was scored, differs from the drawing. 0 if drawings are scored.
  std::size_t standardized_rows = 0;
  std::size_t failed_records = 0;
  /// The failed molecules, sorted by row. For a file, at most the first 1,000.
  std::vector<FailedMolecule> failed;
  std::vector<PhaseReport> phases;
};

}  // namespace molgauge
