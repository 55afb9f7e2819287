#pragma once

#include <optional>

#include "headroom/types.h"

namespace headroom {

/// Which model is applied to which features. A run folder of ours knows its encoder and features; of a run of
/// the Python project (a .pth file, or a folder with best_model.pth) they are said here where its files do
/// not.
struct ModelChoice {
  std::string run;
  std::string encoder;   ///< minimol, ecfp; empty: what the run says
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

/// `headroom score`: energies of new molecules; larger means further out of distribution.
struct ScoreRequest : ModelChoice {
  std::string molecules;
  std::string smiles_column = "smiles";
  std::string out;  ///< .csv with columns energy_score (and ood_prediction, ood_probability with a threshold)
  bool has_threshold = false;
  double threshold = 0;
  bool strict = false;
  /// In CSV files, an apostrophe before a text that a spreadsheet would take for a formula (docs/formats.md).
  bool spreadsheet_safe = false;
  ComputeOptions compute;
};

struct ScoredMolecule {
  std::size_t row = 0, line = 0;
  std::string text;
  float energy = 0;  ///< NaN for a failed molecule
};

struct ScoreReport {
  std::vector<ScoredMolecule> molecules;  ///< one per input record, in input order
  std::size_t failed_records = 0;
  std::vector<FailedMolecule> failed;  ///< the first of them, a thousand at most
  std::vector<PhaseReport> phases;
};

}  // namespace headroom
