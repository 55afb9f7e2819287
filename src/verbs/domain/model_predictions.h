#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/scratch_folder.h"
#include "data/io/tables/csv_reader.h"
#include "headroom/domain.h"
#include "headroom/predict.h"
#include "models/domain/saved_domain.h"

namespace headroom::session {

/// Predictions of a chemprop model for the records of a file, as columns that follow the columns of the file.
class PredictedColumns {
 public:
  /// `file`: the CSV file that `predict` wrote for the file of molecules. Its last columns are the
  /// predictions. `names`: their names here. `own_columns`: the least number of columns of the file of
  /// molecules.
  PredictedColumns(std::filesystem::path file, std::vector<std::string> names, std::size_t own_columns,
                   std::size_t first_column);

  const std::vector<std::string>& names() const { return names_; }

  /// Adds the cells of the next record to its fields. Reads the records in the order of the file.
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

/// Whether the domain of a request, or the saved domain that it names, is in the learned features of a
/// chemprop model.
bool has_model_to_predict_with(const DomainRequest& request, const domain::SavedDomain* saved);

/// The predictions of the chemprop model of a request for its candidates and its calibration molecules.
/// Their columns have the names that `predict` gives them, after "predicted_".
class ModelPredictions {
 public:
  /// Predicts. `saved`: the saved domain that the request names, else null. Throws UsageError if the request
  /// would calibrate in-sample predictions, if `prediction_column` is not a task of the model, or if it is
  /// empty and the model has several tasks. Throws InputError if a file has a column of a name above.
  ModelPredictions(const DomainRequest& request, const domain::SavedDomain* saved);

  /// The request with the names of the columns of predictions and uncertainties.
  const DomainRequest& request() const { return request_; }
  /// Null if the request has no candidates.
  const PredictedColumns* candidates() const { return candidates_ ? &*candidates_ : nullptr; }
  /// Null if the request does not calibrate.
  const PredictedColumns* calibration() const { return calibration_ ? &*calibration_ : nullptr; }
  const std::vector<PhaseReport>& phases() const { return phases_; }

 private:
  PredictedColumns predict(const std::string& model, const std::string& molecules,
                           const std::string& smiles_column, const char* name);
  void choose_columns(const domain::SavedDomain* saved);

  DomainRequest request_;
  std::optional<ScratchFolder> folder_;  ///< of the files with predictions
  std::vector<PredictedTask> tasks_;
  std::vector<std::string> names_;  ///< of the columns with predictions
  std::optional<PredictedColumns> candidates_, calibration_;
  std::vector<PhaseReport> phases_;
};

}  // namespace headroom::session
