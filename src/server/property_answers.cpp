#include "server/property_answers.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace molgauge::serve {
namespace {

Json number_of(const std::string& cell) {
  double number = std::numeric_limits<double>::quiet_NaN();
  std::from_chars(cell.data(), cell.data() + cell.size(), number);
  return number_or_null(number);
}

/// The shortest text of a float32, as in the CSV file.
std::string cell_of(double number) {
  return std::isfinite(number) ? fmt::format("{}", static_cast<float>(number)) : "";
}

}  // namespace

std::string predicted_column(const std::string& column) { return "predicted_" + column; }

PredictRequest predict_request(const Model& model, Standardize form, bool describe, const Tools& tools) {
  PredictRequest request;
  request.standardize = form;
  request.describe = describe;
  request.model = model.folder;
  request.store = tools.request.store;
  request.weights = tools.request.weights;
  request.compute = on_cpu(tools.request.compute);
  return request;
}

Json tasks_json(const Model& model) {
  Json tasks = Json::array();
  for (const PredictedTask& task : model.tasks) {
    Json json{{"name", task.name}, {"head", task.head}, {"members", task.members}, {"columns", task.columns}};
    if (!task.title.empty()) {
      json["title"] = task.title;
      json["category"] = task.category;
      json["unit"] = task.unit;
      json["class_one"] = task.class_one;
      json["lowest"] = task.lowest ? Json(*task.lowest) : Json(nullptr);
      json["highest"] = task.highest ? Json(*task.highest) : Json(nullptr);
      json["importance"] = task.importance;
    }
    tasks.push_back(std::move(json));
  }
  return tasks;
}

Json predictions_head(const Model& model) {
  return {{"model", model.name}, {"kind", to_string(model.kind)}, {"tasks", tasks_json(model)}};
}

Json predicted_row(const Model& model, std::size_t row, const ListedMolecule& molecule,
                   const PredictedCells& predicted) {
  Json json{{"row", row}, {"line", molecule.line}, {"name", molecule.name}, {"smiles", molecule.smiles}};
  json["predictions"] = nullptr;
  if (predicted.reason.empty()) {
    Json predictions = Json::object();
    std::size_t place = 0;
    for (const PredictedTask& task : model.tasks) {
      for (const std::string& column : task.columns) {
        predictions[column] = number_of(predicted.cells.at(place++));
      }
    }
    json["predictions"] = std::move(predictions);
  }
  if (predicted.parent_differs) {
    json["parent_prediction_differs"] = *predicted.parent_differs;
  }
  json["reason"] = predicted.reason;
  if (predicted.properties) {
    json["properties"] = *predicted.properties;
  }
  return json;
}

Json predict_at_hand(const Model& model, const std::vector<ListedMolecule>& list, Standardize form,
                     bool describe, const Tools& tools) {
  MoleculeTable molecules;
  for (const ListedMolecule& molecule : list) {
    molecules.smiles.push_back(molecule.smiles);
  }
  const PredictedList predicted =
      tools.engine.predict(predict_request(model, form, describe, tools), molecules);
  const std::vector<std::string> reasons = reasons_of(list, predicted.report.failed);
  Json rows = Json::array();
  for (std::size_t i = 0; i < list.size(); ++i) {
    PredictedCells row{.cells = {}, .reason = reasons[i]};
    for (const MoleculeTable::Numbers& column : predicted.columns) {
      row.cells.push_back(cell_of(column.values[i]));
    }
    if (!predicted.parent_differs.empty() && row.reason.empty()) {
      row.parent_differs = predicted.parent_differs[i];
    }
    if (describe) {
      row.properties = properties_json(predicted.properties[i]);
    }
    rows.push_back(predicted_row(model, i, list[i], row));
  }
  tools.metrics.judged(list.size());
  Json answer = predictions_head(model);
  answer["rows"] = std::move(rows);
  return answer;
}

}  // namespace molgauge::serve
