#include "server/in_memory_answers.h"

#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/json/json_text.h"
#include "base/page/markup.h"
#include "base/page/page.h"
#include "server/property_answers.h"

namespace molgauge::serve {
namespace {

std::vector<std::string> smiles_of(const std::vector<ListedMolecule>& list) {
  std::vector<std::string> smiles;
  smiles.reserve(list.size());
  for (const ListedMolecule& molecule : list) {
    smiles.push_back(molecule.smiles);
  }
  return smiles;
}

std::vector<InMemoryPrediction> predictions_of(const std::vector<ListedMolecule>& list) {
  std::vector<InMemoryPrediction> predictions;
  predictions.reserve(list.size());
  for (const ListedMolecule& molecule : list) {
    predictions.push_back(molecule.prediction);
  }
  return predictions;
}

/// The predictions of the chemprop model of a domain.
struct DomainPredictions {
  std::vector<Json> rows;  ///< {column: number or null} of each molecule, or null if it failed
  std::vector<InMemoryPrediction>
      judged;  ///< the numbers of the calibrated columns. Empty without calibration
};

DomainPredictions predict_for_domain(const Model& model, const std::vector<ListedMolecule>& list,
                                     const Tools& tools) {
  const Json answer = predict_at_hand(model, list, *model.predicted_form, /*describe=*/false, tools);
  DomainPredictions predictions;
  for (const Json& row : answer.at("rows")) {
    Json renamed = row.at("predictions").is_null() ? Json(nullptr) : Json::object();
    for (const auto& [column, number] : row.at("predictions").items()) {
      renamed[predicted_column(column)] = number;
    }
    if (model.calibration) {
      const auto number = [&](const std::string& column) {
        return renamed.is_object() && renamed.contains(column) && renamed[column].is_number()
                   ? renamed[column].get<double>()
                   : std::nan("");
      };
      predictions.judged.push_back({.value = number(model.calibration->prediction),
                                    .uncertainty = number(model.calibration->uncertainty)});
    }
    predictions.rows.push_back(std::move(renamed));
  }
  return predictions;
}

Json judge_by_domain(const Model& model, const std::vector<ListedMolecule>& list,
                     const PredictionFields& fields, bool describe, const Tools& tools) {
  DomainRequest request;
  request.training = model.folder;
  request.store = tools.request.store;
  request.weights = tools.request.weights;
  request.compute = tools.request.compute;
  request.describe = describe;
  set_prediction_columns(fields, request);
  auto predictions = fields.empty() ? std::vector<InMemoryPrediction>() : predictions_of(list);
  std::optional<DomainPredictions> own;
  if (model.predicted_form && fields.empty()) {
    own = predict_for_domain(model, list, tools);
    predictions = own->judged;
    if (model.calibration) {
      request.prediction_column = model.calibration->prediction;
      request.uncertainty_column = model.calibration->uncertainty;
    }
  }
  const JudgedList judged = tools.engine.judge_molecules(request, smiles_of(list), predictions);
  const StoredCalibration* const calibration =
      predictions.empty() || !judged.calibration ? nullptr : &*judged.calibration;
  Json rows = Json::array();
  VerdictCounts counts;
  for (std::size_t i = 0; i < list.size(); ++i) {
    rows.push_back(row_of(judged.molecules[i], list[i], i, calibration));
    if (own) {
      rows.back()["predictions"] = own->rows[i];
    }
    if (describe) {
      rows.back()["properties"] = properties_json(judged.molecules[i].properties);
    }
    counts.add(rows.back());
  }
  return {{"model", model.name}, {"kind", to_string(model.kind)}, {"counts", counts.json()}, {"rows", rows}};
}

Json judge_by_run(const Model& model, const std::vector<ListedMolecule>& list, const Tools& tools) {
  MoleculeTable molecules{.smiles = smiles_of(list)};
  for (const ListedMolecule& molecule : list) {
    molecules.names.push_back(molecule.name);
  }
  ScoreRequest request;
  request.run = model.folder;
  request.store = tools.request.store;
  request.weights = tools.request.weights;
  request.compute = tools.request.compute;
  const ScoreReport report = tools.engine.score(request, molecules);
  const ScoredRows scored(report);
  Json rows = Json::array();
  VerdictCounts counts;
  for (std::size_t i = 0; i < report.molecules.size(); ++i) {
    rows.push_back(scored.row(i));
    rows.back()["line"] = list.at(i).line;
    counts.add(rows.back());
  }
  return {{"model", model.name},
          {"kind", to_string(model.kind)},
          {"score", report.score_name},
          {"threshold", report.threshold ? Json(*report.threshold) : Json(nullptr)},
          {"notes", Json::array({report.threshold_origin})},
          {"counts", counts.json()},
          {"rows", rows}};
}

std::string cell(const Json& row, const char* key) {
  if (!row.contains(key) || row[key].is_null()) {
    return "";
  }
  return row[key].is_string()         ? row[key].get<std::string>()
         : row[key].is_number_float() ? fmt::format("{:.3g}", row[key].get<double>())
                                      : json_line(row[key]);
}

}  // namespace

Json judge_at_hand(const Model& model, const std::vector<ListedMolecule>& list,
                   const PredictionFields& fields, bool describe, const Tools& tools) {
  Json result = model.kind == Model::Kind::domain ? judge_by_domain(model, list, fields, describe, tools)
                                                  : judge_by_run(model, list, tools);
  tools.metrics.judged(list.size());
  return result;
}

std::string encode_at_hand(const std::string& encoder, const std::vector<ListedMolecule>& list, bool as_lines,
                           const Tools& tools) {
  EncodeRequest request;
  request.encoder = encoder;
  request.store = tools.request.store;
  request.weights = tools.request.weights;
  request.compute = tools.request.compute;
  const std::size_t width = tools.models.width_of(encoder);
  std::vector<float> features(list.size() * width);
  const EncodeReport report = tools.engine.encode(request, smiles_of(list), features);
  const std::vector<std::string> reasons = reasons_of(list, report.failed);
  tools.metrics.judged(list.size());
  std::string text = as_lines ? "" : fmt::format(R"({{"encoder":"{}","columns":{},"rows":[)", encoder, width);
  for (std::size_t i = 0; i < list.size(); ++i) {
    text += !as_lines && i > 0 ? "," : "";
    text += encoded_row(i, list[i], reasons[i], std::span(features).subspan(i * width, width));
    text += as_lines ? "\n" : "";
  }
  return as_lines ? text : text + "]}\n";
}

std::string result_page(const Json& result, const Tools& tools) {
  page::Page page(cell(result, "model"), fmt::format("{} molecules", result.at("rows").size()));
  page.section("Molecules");
  std::string table =
      "<div class=\"scroll\"><table><thead><tr><th>Molecule</th><th>Name</th><th>SMILES</th><th>Verdict</th>"
      "<th>p-value or score</th><th>Unfamiliar substructure, or the reason why it is "
      "unreadable</th><th>Nearest training "
      "molecule</th></tr></thead><tbody>\n";
  for (const Json& row : result.at("rows")) {
    std::string drawing;
    try {
      drawing = tools.engine.depict({.smiles = row.at("smiles"),
                                     .width = 160,
                                     .height = 110,
                                     .atoms = row.value("foreign_atoms", std::vector<std::size_t>())});
    } catch (const Error&) {
      // If the molecule is unreadable, its row contains the reason.
    }
    const std::string number = cell(row, row.contains("p_value") ? "p_value" : "score");
    const std::string reason = cell(row, "reason"), foreign = cell(row, "foreign");
    const std::string remark = reason + (reason.empty() || foreign.empty() ? "" : "; ") + foreign;
    const std::string nearest =
        row.contains("nearest") && !row["nearest"].empty() ? cell(row["nearest"][0], "smiles") : "";
    table += fmt::format(
        "<tr><td>{}</td><td>{}</td><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td><td><code>{}</"
        "code>"
        "</td></tr>\n",
        drawing, page::escape_markup(cell(row, "name")), page::escape_markup(cell(row, "smiles")),
        page::escape_markup(cell(row, "verdict")), number, page::escape_markup(remark),
        page::escape_markup(nearest));
  }
  page.markup(table + "</tbody></table></div>");
  page.markup("<p><a href=\"/\">Another list</a></p>");
  return page.to_string();
}

}  // namespace molgauge::serve
