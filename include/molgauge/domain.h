#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "molgauge/choices.h"
#include "molgauge/conformers.h"
#include "molgauge/types.h"

namespace molgauge {

struct DomainReport;

/// `molgauge domain`: finds the candidates outside the applicability domain of the training molecules.
struct DomainRequest {
  using Report = DomainReport;

  /// Training molecules: any input of `molgauge encode` except standard input, or the folder of a saved
  /// domain.
  std::string training;
  std::string candidates;                         ///< any input that `encode` takes; "-" is standard input
  std::string smiles_column = "smiles";           ///< column of a .csv or .tsv with candidates
  std::string training_smiles_column = "smiles";  ///< column of a .csv or .tsv with training molecules
  /// Column with the names of the training molecules. If empty, the column "name" or "id" is used. If the
  /// file has neither, the names have the form "line 12".
  std::string name_column;
  /// Column with measured values of the training molecules. With it, the report shows how errors grow with
  /// the distance. A column with exactly two distinct values contains classes. If empty, no column is used.
  /// docs/reference/formats-input.md lists the accepted texts.
  std::string label_column;
  /// States that labels such as 0, 1, 2 are numbers. Otherwise Molgauge refuses three to ten small integers,
  /// because they look like more than two classes.
  bool labels_are_numbers = false;

  /// The form in which molecules are compared (docs/explanation/standardisation.md). Default: the form of the
  /// saved domain, or `parent` if `training` is not a saved domain.
  std::optional<Standardize> standardize;
  /// Keep isotope labels during standardisation. Without it, [2H] and [13C] count as H and C.
  bool keep_isotopes = false;
  /// File with molecules that are not in the training set of your model. It also contains their measured
  /// values (`label_column`) and predictions. The SMILES are in the column `training_smiles_column`. If
  /// empty, the training molecules are used, or the calibration of the saved domain.
  std::string calibration;
  /// COLUMN=VALUE: the rows of the training file with this value calibrate the intervals, instead of the file
  /// `calibration`. The domain is built from all other rows. If empty, no rows are selected in this way.
  std::string calibration_split;
  /// Column with the predictions of your model, in the calibration file and in the candidates. For classes,
  /// it contains the probability of class 1. If empty, predictions are not judged.
  std::string prediction_column;
  std::string uncertainty_column;          ///< column with uncertainties of the predictions; may be empty
  std::string lower_column, upper_column;  ///< columns with predicted quantiles; may be empty
  /// Target share of molecules whose measured value lies in the interval or in the set [0.9].
  std::optional<double> coverage;
  /// If not set, the method is `automatic`, or the method of the saved domain.
  std::optional<IntervalMethod> interval_method;
  /// States that the predictions for training molecules are out-of-fold. Molgauge then skips its check for
  /// in-sample predictions.
  bool out_of_fold = false;

  /// If not set, the method is `combined`, or the method of the saved domain.
  std::optional<DomainMethod> method;
  std::optional<double>
      level;  ///< largest p-value of the verdict `outside`. Default: 0.01, or as in a saved domain
  /// Largest p-value of the verdict `borderline`, at least `level` [0.05, or `level` if it is larger].
  std::optional<double> borderline_level;

  /// Name of the encoder. If empty, minimol is used, or the encoder of the saved domain.
  std::string encoder;
  /// A model whose learned features replace the features of `encoder`: a chemprop model as in PredictRequest,
  /// a run folder of `molgauge train --finetune-encoder`, or a saved domain of one of them. If empty,
  /// `encoder` is used, or the encoder of the saved domain.
  std::string model;
  /// For a chemprop model that takes descriptors: the columns that contain the descriptors in the candidates
  /// and in the calibration file, as in PredictRequest.
  std::vector<std::string> descriptor_columns;
  /// A chemprop model predicts the molecules as drawn. If not set, it predicts the form that is judged
  /// (`standardize`).
  bool as_drawn = false;
  std::string features;  ///< native or imported:NAME. If empty, it is native, or as in the saved domain
  std::string store, weights;
  std::string out = "domain.csv";  ///< .csv; a .json and a .html file of the same name are written next to it
  std::string card = {};           ///< model card in Markdown; empty: no card
  std::string save;                ///< folder for the calibrated domain. If empty, the domain is not saved
  std::size_t page_rows = 10000;   ///< maximum number of candidates on the page
  bool strict = false;
  /// Add the columns of MoleculeProperties (properties.h): weight, log P, structural alerts and others.
  bool describe = false;
  /// On the page, colour the parts of each candidate by their contribution to the predictions of a chemprop
  /// model.
  bool contributions = false;
  std::string workbook = {};  ///< .xlsx with the table of `out`; empty: none
  std::string sdf = {};       ///< .sdf with the candidates and the columns of `out`; empty: none
  /// In CSV files, write an apostrophe before a text that a spreadsheet would evaluate as a formula
  /// (docs/reference/formats.md).
  bool spreadsheet_safe = false;
  PlacementOptions placement;  ///< if `training` is a saved domain, only the deadline can be set
  ComputeOptions compute;
};

struct DomainReport {
  std::size_t training_molecules = 0;  ///< distinct training molecules
  std::size_t training_failed = 0;
  /// Training molecules that equal an earlier training molecule after standardisation, and were merged with
  /// it.
  std::size_t training_duplicates = 0;
  std::size_t training_redrawn = 0;  ///< merged molecules that are drawn differently from the earlier one
  /// Distinct training molecules that occur with different labels. Molgauge uses the class of the majority,
  /// or the mean of measured values.
  std::size_t label_conflicts = 0;
  std::size_t label_ties = 0;  ///< molecules of `label_conflicts` with both classes equally often. Their
                               ///< labels are left out
  /// Median of (largest - smallest measured value) over the molecules of `label_conflicts`. 0 if there are
  /// none, and for classes.
  double label_median_range = 0;
  /// Censored values, such as ">10", that were left out: labels of training molecules, and measured values of
  /// calibration molecules.
  std::size_t censored_labels = 0, censored_in_calibration = 0;
  std::size_t inside = 0, borderline = 0, outside = 0, unreadable = 0;
  /// Sentences about the expected number of false alarms, a training set that is too small, and labels that
  /// were merged or left out.
  std::vector<std::string> notices;
  std::size_t resumed = 0;  ///< candidates whose distances an earlier, interrupted call computed
  /// A sentence about how errors grow with the distance. Empty without a label column.
  std::string error_summary;
  /// Sentences about the calibration of the predictions. Empty without a prediction column.
  std::string prediction_summary;
  std::string csv, json, page, card;   ///< names of the files. `card` is empty without a model card
  std::vector<FailedMolecule> failed;  ///< at most the first 1,000 failed molecules of both inputs
                                       ///< together
  std::size_t failed_records = 0;
  std::vector<PhaseReport> phases;
};

}  // namespace molgauge
