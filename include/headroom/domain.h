#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "headroom/choices.h"
#include "headroom/conformers.h"
#include "headroom/types.h"

namespace headroom {

struct DomainReport;

/// `headroom domain`: the candidates that lie outside the chemistry of the training molecules.
struct DomainRequest {
  using Report = DomainReport;

  /// Training molecules, any input that `encode` takes but standard input; or a folder that `save` made.
  std::string training;
  std::string candidates;                         ///< any input that `encode` takes; "-" is standard input
  std::string smiles_column = "smiles";           ///< column of a .csv or .tsv with candidates
  std::string training_smiles_column = "smiles";  ///< column of a .csv or .tsv with training molecules
  /// Column with the names of the training molecules; empty: "name" or "id" where the file has one of them,
  /// else "line 12".
  std::string name_column;
  /// Column with values of the training molecules, to measure how errors grow with the distance; empty: none.
  /// A column with exactly two distinct values holds classes.
  std::string label_column;

  /// The form in which molecules are compared (docs/explanation/standardisation.md). None: parent, or the
  /// form of the saved folder.
  std::optional<Standardize> standardize;
  /// File with measured values (`label_column`) and predictions of molecules that the user's model did not
  /// see; empty: the training molecules, or the calibration in the saved folder. Its SMILES are in
  /// `training_smiles_column`.
  std::string calibration;
  /// Column of the calibration file and of the candidates with the predictions of the user's model, for
  /// classes the probability of class 1; empty: predictions are not judged.
  std::string prediction_column;
  std::string uncertainty_column;          ///< column with uncertainties of the predictions; empty: none
  std::string lower_column, upper_column;  ///< columns with predicted quantiles; empty: none
  std::optional<double> coverage;          ///< share of molecules that intervals and sets cover [0.9]
  std::optional<IntervalMethod> interval_method;  ///< none: automatic, or the method of the saved folder
  /// Predictions of training molecules are known to be out-of-fold: the check for in-sample ones is left out.
  bool out_of_fold = false;

  std::optional<DomainMethod> method;  ///< none: combined, or the method of the saved folder
  std::optional<double> level;  ///< largest p-value of a candidate that is `outside` [0.01, or the folder's]
  /// Largest p-value of a candidate that is `borderline`, at least `level` [0.05, or `level` if it is
  /// larger].
  std::optional<double> borderline_level;
  std::optional<std::uint64_t> seed;  ///< seed of the held-out molecules [0]

  std::string encoder;  ///< its name; empty: minimol, or the encoder of the saved folder
  /// A run folder of `headroom train --finetune-encoder`, whose encoder takes the place of `encoder`; empty:
  /// none, or the encoder that the saved folder keeps.
  std::string model;
  std::string features;  ///< native, imported:NAME; empty: native, or those of the saved folder
  std::string store, weights;
  std::string out = "domain.csv";  ///< .csv; .json and .html of the same name are written beside it
  std::string save;                ///< folder for the calibrated domain; empty: it is not kept
  std::size_t page_rows = 10000;   ///< candidates that the page lists at most
  bool strict = false;
  /// In CSV files, an apostrophe before a text that a spreadsheet would take for a formula
  /// (docs/reference/formats.md).
  bool spreadsheet_safe = false;
  PlacementOptions placement;  ///< fixed by the folder that `save` made, but for the deadline
  ComputeOptions compute;
};

struct DomainReport {
  std::size_t training_molecules = 0;  ///< distinct training molecules
  std::size_t training_failed = 0;
  /// Training molecules that were merged with an earlier one, because their standardised forms are equal.
  std::size_t training_duplicates = 0;
  std::size_t training_redrawn = 0;  ///< merged molecules whose drawing differs from that of the first
  /// Training molecules with several, different values, whose mean is used.
  std::size_t label_conflicts = 0;
  double label_median_range = 0;  ///< median of (largest - smallest value) of these; 0 if there are none
  std::size_t inside = 0, borderline = 0, outside = 0, unreadable = 0;
  std::vector<std::string>
      notices;              ///< sentences: expected false alarms, and a training set that is too small
  std::size_t resumed = 0;  ///< candidates whose distances an earlier, interrupted call had computed
  /// A sentence on how errors grow with the distance. Empty without a label column.
  std::string error_summary;
  /// Sentences on the calibration of the user's predictions; empty without a prediction column.
  std::string prediction_summary;
  std::string csv, json, page;
  std::vector<FailedMolecule> failed;  ///< the first of both inputs, a thousand at most
  std::size_t failed_records = 0;
  std::vector<PhaseReport> phases;
};

}  // namespace headroom
