#pragma once

#include <string>
#include <vector>

#include "serve/job_work.h"

/// Predictions of chemprop models.
namespace headroom::serve {

/// A request for predictions with a model of the server. The options for a GPU are left out, because
/// predictions run on the CPU.
PredictRequest predict_request(const Model& model, const Tools& tools);

/// Returns [{"name", "head", "members", "columns"}, ...].
Json tasks_json(const Model& model);

/// Returns {"model", "kind", "tasks"}.
Json predictions_head(const Model& model);

/// Returns {"row", "line", "name", "smiles", "predictions": {column: number or null}, "reason"}.
/// "predictions" is null if there is a reason. `cells`: the texts of the predictions. A text is empty if
/// there is no number.
Json predicted_row(const Model& model, std::size_t row, const ListedMolecule& molecule,
                   const std::vector<std::string>& cells, const std::string& reason);

/// Returns the answer for a short list: the fields of predictions_head() and "rows".
Json predict_at_hand(const Model& model, const std::vector<ListedMolecule>& list, const Tools& tools);

}  // namespace headroom::serve
