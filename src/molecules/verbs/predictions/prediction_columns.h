#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "molecules/judging/predictions/prediction_calibration.h"
#include "molecules/judging/saved_domain.h"
#include "molgauge/domain.h"

namespace molgauge::verbs {

class ModelPredictions;

/// Whether the request asks to judge predictions for candidates.
bool judges_predictions(const DomainRequest& request);

/// Whether the request calibrates predictions. Otherwise the calibration comes from the saved folder.
bool calibrates_predictions(const DomainRequest& request);

/// The file with the calibration molecules of a request that calibrates.
const std::string& calibration_file(const DomainRequest& request);

/// Returns the columns of the candidates. Columns that the request leaves out come from the stored
/// calibration.
domain::PredictionColumns prediction_columns(const DomainRequest& request,
                                             const domain::PredictionCalibration* stored);

/// Throws UsageError if an option needs predictions, but predictions are not judged.
void require_no_option_of_predictions(const DomainRequest& request);

/// Compares the columns in a request with the stored calibration. Throws UsageError if the calibration does
/// not use a column, because the column would have no effect.
void require_stored_columns(const DomainRequest& request, const domain::PredictionCalibration& stored);

/// Throws InputError, whose message begins with `place`, such as "list.csv:12", if a number is infinite or
/// too large, an uncertainty is negative, quantiles are in the wrong order, or a prediction of a class is not
/// a probability. NaN means that a number is missing. `columns`: names for the message.
void require_prediction(const domain::UserPrediction& prediction, const domain::PredictionColumns& columns,
                        const std::string& place, bool are_classes);

/// A row of the calibration file with a measured value and a prediction.
struct MeasuredRow {
  std::size_t row = 0;  ///< number of the record in the file
  double measured = 0;
  domain::UserPrediction predicted;
};

/// The rows of the calibration file that have a measured value and a prediction.
struct MeasuredRows {
  std::vector<MeasuredRow> rows;
  domain::CensoredCount censored;  ///< measured values that were left out
};

/// Checks the options and columns of predictions before anything is encoded. Returns the rows of the
/// calibration file, if the request calibrates. `saved`: the
/// domain from a folder, or a domain without training molecules. `predicted`: predictions that Molgauge
/// computed, or null.
///
/// Throws UsageError if an option is missing or has no effect. Throws InputError, with file and line, if a
/// column is missing, a label is invalid, a cell is not a finite number, an uncertainty is negative,
/// quantiles are in the wrong order, or a prediction of a class is not a probability. Throws InputError with
/// the file if no row is complete or all measured values are equal.
MeasuredRows require_prediction_columns(const DomainRequest& request, const domain::SavedDomain& saved,
                                        const ModelPredictions* predicted = nullptr);

/// Reads the prediction of a record from its fields. Throws InputError with file and line if the prediction
/// is not valid.
class PredictionReader {
 public:
  /// Finds the given `columns` in `names`. Throws InputError with `file` if a column is missing.
  PredictionReader(const domain::PredictionColumns& columns, const std::vector<std::string>& names,
                   const std::string& file);

  domain::UserPrediction prediction(const chem::MoleculeRecord& record,
                                    const std::vector<std::string>& fields) const;
  /// Returns the measured value, or NaN if it is missing or censored.
  double measured(const chem::MoleculeRecord& record, const std::vector<std::string>& fields) const;

 private:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  double number(const chem::MoleculeRecord& record, const std::vector<std::string>& fields, std::size_t place,
                const std::string& column) const;

  domain::PredictionColumns columns_;
  std::size_t measured_ = kNone, prediction_ = kNone, uncertainty_ = kNone, lower_ = kNone, upper_ = kNone;
};

}  // namespace molgauge::verbs
