#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "headroom/types.h"

namespace headroom {

/// Which model is applied to which features. A run folder of ours knows its encoder and features; of a run of
/// the Python project (a .pth file, or a folder with best_model.pth) they are said here where its files do
/// not.
struct ModelChoice {
  std::string run;
  std::string encoder;   ///< name of an encoder; empty: what the run says
  std::string features;  ///< native, imported:NAME; empty: the run's, native for a Python run
  std::string store, weights;
};

/// `headroom evaluate`: the run's best model on the test parts of its benchmark, or of another one.
struct EvaluateRequest : ModelChoice {
  std::string data;       ///< another benchmark; empty: the run's own
  std::string data_path;  ///< folder in which names of data sets are looked up
  /// Accept test molecules that the run was trained or selected on, or that are in both test parts.
  bool allow_overlap = false;
  /// Folder for the results; empty: the run folder, and nothing is written for a Python run, whose own
  /// results have the same names.
  std::string out;
  /// In CSV files, an apostrophe before a text that a spreadsheet would take for a formula (docs/formats.md).
  bool spreadsheet_safe = false;
  ComputeOptions compute;
};

struct EvaluateReport {
  double auroc = 0, aupr = 0, fpr95 = 0;  ///< fractions
  double id_mean_energy = 0, ood_mean_energy = 0, id_std_energy = 0, ood_std_energy = 0;
  std::size_t id_count = 0, ood_count = 0;
  /// Molecules that stand where they must not, and were accepted; none: it is not known what the run was
  /// trained on.
  std::optional<std::size_t> shared_molecules = 0;
  std::size_t failed_records = 0;
  std::vector<FailedMolecule> failed;  ///< the first of them, a thousand at most
  std::vector<PhaseReport> phases;
};

/// `headroom score`: how far new molecules are out of distribution by a run of `headroom train` (energies) or
/// `headroom baseline`, or a folder of `headroom domain --save`; larger means further out.
struct ScoreRequest : ModelChoice {
  std::string molecules;
  std::string smiles_column = "smiles";
  std::string method;             ///< of a folder of baselines; empty: the only one in it
  std::string out;                ///< .csv; empty: nothing is written
  std::string page;               ///< .html, a page like that of `headroom domain`; empty: none
  std::size_t page_rows = 10000;  ///< molecules that the page lists at most
  /// Molecules that score higher are called out of distribution; none: what the run's held-out molecules say.
  std::optional<double> threshold;
  /// Share of molecules like the run's own, in (0, 1), that are to lie at or below the threshold.
  double id_recall = 0.95;
  bool strict = false;
  /// In CSV files, an apostrophe before a text that a spreadsheet would take for a formula (docs/formats.md).
  bool spreadsheet_safe = false;
  ComputeOptions compute;
};

/// Numbers are NaN for a failed molecule, and where there is nothing to make them from.
struct ScoredMolecule {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  std::size_t row = 0, line = 0;
  std::vector<std::string> input;  ///< what the input says of it: a cell for each ScoreReport::input_columns
  float score = std::numeric_limits<float>::quiet_NaN();  ///< of a run over several seeds: their mean
  double deviation = kNone;  ///< several seeds: sample deviation, each about its mean of held-out molecules
  double disagreement = kNone;  ///< several seeds: share of those that call it otherwise than most do
  double ood_probability = kNone;
  double p_value = kNone;  ///< of a saved domain: conformal, 1 for its training molecules
  bool in_training =
      false;  ///< of a saved domain: the run has seen it, and never calls it out of distribution
};

struct ScoreReport {
  /// Of a table, its columns; of other inputs line, smiles and, where there may be names, name.
  std::vector<std::string> input_columns;
  std::size_t smiles_column = 0;  ///< which of them holds the SMILES
  /// "energy_score"; of a baseline "knn_score" and the like; of a saved domain "domain_distance".
  std::string score_name;
  bool is_domain = false;                 ///< the run is a saved domain
  std::size_t seeds = 1;                  ///< of the run
  std::vector<ScoredMolecule> molecules;  ///< one per input record, in input order
  std::optional<double> threshold;        ///< a molecule that scores higher is called out of distribution
  std::string threshold_origin;           ///< where it comes from, or why there is none: a sentence
  bool has_probability = false;           ///< calibrated on the run's validation molecules
  std::size_t failed_records = 0;
  std::vector<FailedMolecule> failed;  ///< the first of them, a thousand at most
  std::vector<PhaseReport> phases;
};

}  // namespace headroom
