#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/core/files/scratch_folder.h"
#include "base/io/tables/csv_reader.h"
#include "molecules/judging/saved_domain.h"
#include "molecules/verbs/predict/predict_with.h"
#include "molgauge/domain.h"
#include "molgauge/predict.h"

namespace molgauge::verbs {

/// Predictions of a chemprop model for the records of a file, as columns that follow the columns of the file.
class PredictedColumns {
 public:
  /// `file`: the CSV file that `predict` wrote for the file of molecules. The last columns are the
  /// predictions. `names`: names of the added columns. `own_columns`: minimum number of columns in the file
  /// of molecules.
  PredictedColumns(std::filesystem::path file, std::vector<std::string> names, std::size_t own_columns,
                   std::size_t first_column);

  const std::vector<std::string>& names() const { return names_; }

  /// Reads the predictions in the order of the file. append_next() adds the cells of the next record to its
  /// fields.
  class Reader {
   public:
    explicit Reader(const PredictedColumns& columns);
    void append_next(std::vector<std::string>& fields);

   private:
    const PredictedColumns& columns_;
    io::CsvReader file_;
  };

 private:
  std::filesystem::path file_;
  std::vector<std::string> names_;
  std::size_t own_columns_, first_column_;
};

/// Returns the form of the molecules that the chemprop model of a request predicts. `saved`: the saved domain
/// in the request, or null.
Standardize predicted_form(const DomainRequest& request, const domain::SavedDomain* saved);

/// The predictions of the chemprop model of a request for its candidates and its calibration molecules. The
/// name of a column is "predicted_", followed by the column name that `predict` gives.
class ModelPredictions {
 public:
  /// Computes the predictions of `source.models` for the form that is judged, or for the drawings if the
  /// request or the saved domain says so. `saved`: the saved domain in the request, or null. Throws
  /// UsageError if the request would calibrate in-sample predictions, if `prediction_column` is not a task of
  /// the model, or if it is empty and the model has several tasks. Throws InputError if a file already has a
  /// column with the name of a prediction column.
  /// Checks the memory of the whole request before the first prediction.
  ModelPredictions(const DomainRequest& request, const domain::FeatureSource& source,
                   const domain::SavedDomain* saved);

  /// The name of the column with the predictions of a task.
  static std::string column_of(const std::string& task);

  /// The request, with the names of the columns for predictions and uncertainties.
  const DomainRequest& request() const { return request_; }
  /// The predictions for the candidates. Null if the request has no candidates.
  const PredictedColumns* candidates() const { return candidates_ ? &*candidates_ : nullptr; }
  /// The number of columns of candidates().
  std::size_t candidates_columns() const { return candidates_ ? names_.size() : 0; }
  /// The predictions for the calibration molecules. Null if the request does not calibrate.
  const PredictedColumns* calibration() const { return calibration_ ? &*calibration_ : nullptr; }
  /// The form of the molecules that was predicted. `none` stands for the drawings.
  Standardize form() const { return form_; }
  /// Sentences about this form, for the list of candidates and the form that is judged.
  std::string notice() const;
  const std::vector<PhaseReport>& phases() const { return phases_; }
  /// The tasks of the model. candidates() contains their columns in this order.
  const std::vector<PredictedTask>& tasks() const { return tasks_; }

 private:
  PredictRequest predicting(const std::string& molecules, const std::string& smiles_column,
                            const char* name) const;
  PredictedColumns predict(const encoders::chemprop::ModelSet& models, const PredictRequest& request,
                           const verbs::LaterWork& later);
  void choose_columns(const domain::SavedDomain* saved);

  DomainRequest request_;
  Standardize judged_form_, form_;
  std::size_t candidate_rows_ = 0, standardized_candidates_ = 0;
  std::optional<ScratchFolder> folder_;  ///< folder of the files with predictions
  std::vector<PredictedTask> tasks_;
  std::vector<std::string> names_;  ///< names of the columns with predictions
  std::optional<PredictedColumns> candidates_, calibration_;
  std::vector<PhaseReport> phases_;
};

}  // namespace molgauge::verbs
