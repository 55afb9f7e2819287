#pragma once

#include <optional>
#include <string>
#include <vector>

#include "server/job_work.h"

/// Predictions of chemprop models.
namespace molgauge::serve {

/// A request for predictions of this form of the molecules, with a model of the server. The options for a GPU
/// are left out, because predictions run on the CPU.
PredictRequest predict_request(const Model& model, Standardize form, bool describe, const Tools& tools);

/// Returns [{"name", "head", "members", "columns"}, ...].
Json tasks_json(const Model& model);

/// Returns {"model", "kind", "tasks"}.
Json predictions_head(const Model& model);

/// The predictions for a molecule.
struct PredictedCells {
  std::vector<std::string> cells;  ///< texts of the predictions. A text is empty if there is no number
  /// Whether the parent has another prediction. Empty if drawings are not compared with their parents.
  std::optional<bool> parent_differs = {};
  std::string reason;                   ///< why the molecule failed, or empty
  std::optional<Json> properties = {};  ///< properties_json(). Not set if they are not requested
};

/// Returns {"row", "line", "name", "smiles", "predictions": {column: number or null},
/// "parent_prediction_differs", "reason", "properties"}. "predictions" is null if there is a reason.
/// "parent_prediction_differs" and "properties" are left out if they are not known.
Json predicted_row(const Model& model, std::size_t row, const ListedMolecule& molecule,
                   const PredictedCells& predicted);

/// The name of a column of a chemprop model in the results of a domain.
std::string predicted_column(const std::string& column);

/// Returns the answer for a short list: the fields of predictions_head() and "rows".
Json predict_at_hand(const Model& model, const std::vector<ListedMolecule>& list, Standardize form,
                     bool describe, const Tools& tools);

}  // namespace molgauge::serve
