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

/// `headroom domain`: finds the candidates outside the chemistry of the training molecules.
struct DomainRequest {
  using Report = DomainReport;

  /// Training molecules: any input of `encode` except standard input, or a folder from `save`.
  std::string training;
  std::string candidates;                         ///< any input that `encode` takes; "-" is standard input
  std::string smiles_column = "smiles";           ///< column of a .csv or .tsv with candidates
  std::string training_smiles_column = "smiles";  ///< column of a .csv or .tsv with training molecules
  /// Column with the names of the training molecules. Empty: "name" or "id" if the file has one of them, else
  /// names such as "line 12".
  std::string name_column;
  /// Column with measured values of the training molecules, to show how errors grow with the distance. Empty:
  /// none. A column with exactly two distinct values contains classes.
  std::string label_column;

  /// The form in which molecules are compared (docs/explanation/standardisation.md). None: parent, or the
  /// form of the saved folder.
  std::optional<Standardize> standardize;
  /// File with measured values (`label_column`) and predictions for molecules that your model was not trained
  /// on. Empty: the training molecules, or the calibration in the saved folder. Its SMILES are in
  /// `training_smiles_column`.
  std::string calibration;
  /// COLUMN=VALUE: rows of the training file with this value calibrate the intervals instead of
  /// `calibration`. They are not training molecules of the domain. Empty: none.
  std::string calibration_split;
  /// Column with the predictions of your model, in the calibration file and in the candidates. For classes,
  /// the probability of class 1. Empty: predictions are not judged.
  std::string prediction_column;
  std::string uncertainty_column;          ///< column with uncertainties of the predictions; empty: none
  std::string lower_column, upper_column;  ///< columns with predicted quantiles; empty: none
  std::optional<double> coverage;          ///< share of molecules that intervals and sets cover [0.9]
  std::optional<IntervalMethod> interval_method;  ///< none: automatic, or the method of the saved folder
  /// States that your predictions for training molecules are out-of-fold. Headroom then does not check
  /// whether the predictions are in-sample.
  bool out_of_fold = false;

  std::optional<DomainMethod> method;  ///< none: combined, or the method of the saved folder
  std::optional<double> level;  ///< largest p-value of an `outside` candidate [0.01, or as in the folder]
  /// Largest p-value of a `borderline` candidate. At least `level` [0.05, or `level` if that is larger].
  std::optional<double> borderline_level;
  std::optional<std::uint64_t> seed;  ///< seed of the held-out molecules [0]

  std::string encoder;  ///< name of the encoder; empty: minimol, or the encoder of the saved folder
  /// A run folder of `headroom train --finetune-encoder`. Its encoder replaces `encoder`. Empty: none, or the
  /// encoder in the saved folder.
  std::string model;
  /// With a chemprop model that takes descriptors: as in PredictRequest, for the candidates and the
  /// calibration file.
  std::vector<std::string> descriptor_columns;
  std::string features;  ///< native, imported:NAME; empty: native, or as in the saved folder
  std::string store, weights;
  std::string out = "domain.csv";  ///< .csv; .json and .html files with the same name are written as well
  std::string save;                ///< folder for the calibrated domain; empty: do not save it
  std::size_t page_rows = 10000;   ///< maximum number of candidates on the page
  bool strict = false;
  /// Write an apostrophe in CSV files before a text that a spreadsheet would evaluate as a formula
  /// (docs/reference/formats.md).
  bool spreadsheet_safe = false;
  PlacementOptions placement;  ///< if `training` is a saved domain, only the deadline can be chosen
  ComputeOptions compute;
};

struct DomainReport {
  std::size_t training_molecules = 0;  ///< distinct training molecules
  std::size_t training_failed = 0;
  /// Training molecules that were merged with an earlier one, because they are the same molecule after
  /// standardisation.
  std::size_t training_duplicates = 0;
  std::size_t training_redrawn = 0;  ///< merged molecules that are drawn differently from the first one
  /// Training molecules that occur with different measured values. The mean of the values is used.
  std::size_t label_conflicts = 0;
  double label_median_range =
      0;  ///< median of (largest - smallest value) of these molecules; 0 if there are none
  std::size_t inside = 0, borderline = 0, outside = 0, unreadable = 0;
  std::vector<std::string> notices;  ///< sentences about the expected false alarms and about a training set
                                     ///< that is too small
  std::size_t resumed = 0;           ///< candidates whose distances an earlier, interrupted call had computed
  /// A sentence about how errors grow with the distance. Empty without a label column.
  std::string error_summary;
  /// Sentences about the calibration of the predictions. Empty without a prediction column.
  std::string prediction_summary;
  std::string csv, json, page;
  std::vector<FailedMolecule> failed;  ///< the first 1,000 failed molecules from both inputs together, at
                                       ///< most
  std::size_t failed_records = 0;
  std::vector<PhaseReport> phases;
};

}  // namespace headroom
