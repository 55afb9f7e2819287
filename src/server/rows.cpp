#include "server/rows.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"
#include "base/io/tables/csv_reader.h"

namespace molgauge::serve {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// The first fields of a row: name, SMILES, position and verdict. The results of the molecule come after
/// these fields.
Json begin_row(std::size_t row, std::size_t line, const std::string& name, const std::string& smiles,
               const std::string& verdict) {
  return {{"row", row}, {"line", line}, {"name", name}, {"smiles", smiles}, {"verdict", verdict}};
}

/// The cells of a row in domain.csv, by column name.
class DomainCells {
 public:
  DomainCells(const std::map<std::string, std::size_t>& places, const std::vector<std::string>& cells)
      : places_(places), cells_(cells) {}

  bool has(const std::string& column) const { return places_.contains(column); }
  std::string text(const std::string& column) const {
    const auto place = places_.find(column);
    return place == places_.end() || place->second >= cells_.size() ? "" : cells_[place->second];
  }
  Json number(const std::string& column) const {
    const std::string cell = text(column);
    double value = kNone;
    std::from_chars(cell.data(), cell.data() + cell.size(), value);
    return number_or_null(value);
  }

 private:
  const std::map<std::string, std::size_t>& places_;
  const std::vector<std::string>& cells_;
};

/// Returns the same words as verbs::match_words(), for molecules in memory.
std::string match_words(const std::string& match, const std::string& name) {
  if (match == "same") {
    return "is a training molecule";
  }
  if (match == "same parent") {
    return fmt::format("is the training molecule {}, drawn differently", name);
  }
  if (match == "tautomer") {
    return fmt::format("is a tautomer of the training molecule {}", name);
  }
  return match.empty() ? "" : fmt::format("is the training molecule {} except for the stereochemistry", name);
}

/// Returns the same words as verbs::foreign_words(), for molecules in memory.
std::string foreign_of(const DomainCells& cells, std::size_t foreign_atoms) {
  std::vector<std::string> words;
  const auto add = [&](const std::string& before, const std::string& text) {
    if (!text.empty()) {
      words.push_back(before + text);
    }
  };
  if (const std::string match = match_words(cells.text("training_match"), cells.text("training_match_name"));
      !match.empty()) {
    words.push_back(match);
  }
  add("new elements: ", cells.text("foreign_elements"));
  add("new rings: ", cells.text("foreign_rings"));
  if (foreign_atoms > 0) {
    words.push_back(foreign_atoms == 1 ? "1 atom with new neighbours"
                                       : fmt::format("{} atoms with new neighbours", foreign_atoms));
  }
  for (const char* const column : {"foreign_size", "foreign_log_p", "foreign_charge"}) {
    add("", cells.text(column));
  }
  if (cells.text("scaffold_in_training") == "no") {
    words.emplace_back("new scaffold");
  }
  return fmt::format("{}", fmt::join(words, "; "));
}

/// Adds the columns about the prediction for a molecule.
void add_prediction(const DomainCells& cells, Json& row) {
  if (cells.has("prediction_set")) {
    row["prediction_set"] = cells.text("prediction_set");
    row["probability_lower"] = cells.number("probability_lower");
    row["probability_upper"] = cells.number("probability_upper");
  } else {
    row["prediction_lower"] = cells.number("prediction_lower");
    row["prediction_upper"] = cells.number("prediction_upper");
  }
  row["prediction_expected_error"] = cells.number("prediction_expected_error");
  const std::string conditions = cells.text("prediction_conditions_met");
  row["prediction_conditions_met"] = conditions.empty() ? Json(nullptr) : Json(conditions == "yes");
  row["prediction_reason"] = cells.text("prediction_reason");
  row["prediction_doubt"] = cells.text("prediction_doubt");
}

/// Adds the prediction of a molecule in memory.
void add_prediction(const std::optional<JudgedPrediction>& judged, bool are_classes, Json& row) {
  const auto number = [&](double JudgedPrediction::*field) {
    return judged ? number_or_null((*judged).*field) : Json(nullptr);
  };
  if (are_classes) {
    row["prediction_set"] = judged ? judged->set : "";
    row["probability_lower"] = number(&JudgedPrediction::probability_lower);
    row["probability_upper"] = number(&JudgedPrediction::probability_upper);
  } else {
    row["prediction_lower"] = number(&JudgedPrediction::lower);
    row["prediction_upper"] = number(&JudgedPrediction::upper);
  }
  row["prediction_expected_error"] = number(&JudgedPrediction::expected_error);
  row["prediction_conditions_met"] = judged ? Json(judged->meets_conditions) : Json(nullptr);
  row["prediction_reason"] = judged ? judged->reason : "";
  row["prediction_doubt"] = judged ? judged->doubt : "";
}

Json row_of(const DomainCells& cells, std::size_t row, std::size_t line, const std::string& smiles_column) {
  const std::string shown =
      cells.text(smiles_column).empty() ? cells.text("smiles") : cells.text(smiles_column);
  std::string name = cells.text("name");
  for (const char* const column : {"id", "title"}) {
    name = name.empty() ? cells.text(column) : name;
  }
  Json json = begin_row(row, line, name, shown, cells.text("domain"));
  json["decision"] = cells.text("decision");
  json["decision_reason"] = cells.text("decision_reason");
  json["p_value"] = cells.number("domain_p_value");
  json["q_value"] = cells.number("domain_q_value");
  json["p_new_scaffold"] = cells.number("domain_p_new_scaffold");
  json["p_range"] = cells.number("domain_p_range");
  json["distance"] = cells.number("domain_distance");
  json["percentile"] = cells.number("domain_percentile");
  for (const char* const column :
       {"standardized_smiles", "training_match", "training_match_name", "training_match_smiles"}) {
    json[column] = cells.text(column);
  }
  json["scaffold_seen"] = cells.text("scaffold_in_training") == "yes";
  Json atoms = Json::array();
  std::istringstream numbers(cells.text("foreign_atoms"));
  for (std::size_t atom = 0; numbers >> atom;) {
    atoms.push_back(atom);
  }
  const bool is_readable = cells.text("domain") != "unreadable";
  json["foreign"] = is_readable ? foreign_of(cells, atoms.size()) : "";
  json["foreign_atoms"] = std::move(atoms);
  json["reason"] = cells.text("domain_reason");
  Json nearest = Json::array();
  for (int i = 1; i <= 3; ++i) {
    const std::string prefix = fmt::format("nearest_{}_", i);
    if (!cells.text(prefix + "smiles").empty()) {
      nearest.push_back({{"name", cells.text(prefix + "name")},
                         {"smiles", cells.text(prefix + "smiles")},
                         {"tanimoto", cells.number(prefix + "tanimoto")},
                         {"distance", cells.number(prefix + "distance")},
                         {"value", cells.number(prefix + "value")}});
    }
  }
  json["nearest"] = std::move(nearest);
  return json;
}

}  // namespace

Json properties_json(const std::optional<MoleculeProperties>& properties) {
  if (!properties) {
    return nullptr;
  }
  Json json = Json::object();
  for (const PropertyColumn& column : kPropertyColumns) {
    Json& value = json[column.name];
    if (column.number != nullptr) {
      value = number_or_null((*properties).*column.number);
    } else if (column.count != nullptr) {
      value = (*properties).*column.count;
    } else {
      value = (*properties).*column.alerts;
    }
  }
  return json;
}

Json properties_json(const std::function<std::string(const char* column)>& cell) {
  constexpr std::string_view kBetweenAlerts = "; ";
  MoleculeProperties properties;
  for (const PropertyColumn& column : kPropertyColumns) {
    const std::string text = cell(column.name);
    const char* const end = text.data() + text.size();
    if (column.alerts == nullptr && text.empty()) {
      return nullptr;
    }
    if (column.number != nullptr) {
      std::from_chars(text.data(), end, properties.*column.number);
    } else if (column.count != nullptr) {
      std::from_chars(text.data(), end, properties.*column.count);
    } else {
      for (std::size_t start = 0; start < text.size();) {
        const std::size_t stop = std::min(text.find(kBetweenAlerts, start), text.size());
        (properties.*column.alerts).push_back(text.substr(start, stop - start));
        start = stop + kBetweenAlerts.size();
      }
    }
  }
  return properties_json(std::optional(std::move(properties)));
}

Json number_or_null(double number) { return std::isfinite(number) ? Json(number) : Json(nullptr); }

Json VerdictCounts::json() const {
  Json json = Json::object();
  for (const char* const verdict : {"inside", "borderline", "outside", "unreadable"}) {
    const auto found = counts_.find(verdict);
    json[verdict] = found == counts_.end() ? 0 : found->second;
  }
  return json;
}

Json row_of(const JudgedMolecule& molecule, const ListedMolecule& listed, std::size_t row,
            const StoredCalibration* calibration) {
  Json json = begin_row(row, listed.line, listed.name, listed.smiles, to_string(molecule.verdict));
  json["decision"] = to_string(molecule.decision);
  json["decision_reason"] = molecule.decision_reason;
  json["p_value"] = number_or_null(molecule.p_value);
  json["q_value"] = number_or_null(molecule.q_value);
  json["p_new_scaffold"] = number_or_null(molecule.p_new_scaffold);
  json["p_range"] = number_or_null(molecule.p_range);
  json["distance"] = number_or_null(molecule.distance);
  json["percentile"] = number_or_null(molecule.percentile);
  json["standardized_smiles"] = molecule.standardized_smiles;
  json["training_match"] = to_string(molecule.training_match);
  json["training_match_name"] = molecule.training_match_name;
  json["training_match_smiles"] = molecule.training_match_smiles;
  json["scaffold_seen"] = molecule.scaffold_in_training;
  json["foreign"] = fmt::format("{}", fmt::join(molecule.foreign, "; "));
  json["foreign_atoms"] = molecule.foreign_atoms;
  json["reason"] = molecule.reason;
  Json nearest = Json::array();
  for (const auto& neighbour : molecule.nearest) {
    nearest.push_back({{"name", neighbour.name},
                       {"smiles", neighbour.smiles},
                       {"tanimoto", number_or_null(neighbour.tanimoto)},
                       {"distance", number_or_null(neighbour.distance)},
                       {"value", number_or_null(neighbour.value)}});
  }
  json["nearest"] = std::move(nearest);
  if (calibration != nullptr) {
    add_prediction(molecule.prediction, calibration->are_classes, json);
  }
  return json;
}

ScoredRows::ScoredRows(const ScoreReport& report) : report_(report) {
  for (const FailedMolecule& failed : report.failed) {
    reasons_[failed.row] = failed.reason;
  }
}

Json ScoredRows::row(std::size_t number) const {
  const ScoredMolecule& molecule = report_.molecules.at(number);
  const bool has_score = std::isfinite(molecule.score);
  const bool is_outside = has_score && report_.threshold && molecule.score > *report_.threshold;
  std::string name;
  for (std::size_t i = 0; i < report_.input_columns.size() && i < molecule.input.size(); ++i) {
    if (report_.input_columns[i] == "name" || report_.input_columns[i] == "id") {
      name = name.empty() ? molecule.input[i] : name;
    }
  }
  const std::string smiles =
      report_.smiles_column < molecule.input.size() ? molecule.input[report_.smiles_column] : "";
  const char* const verdict = !has_score          ? "unreadable"
                              : is_outside        ? "outside"
                              : report_.threshold ? "inside"
                                                  : "";
  Json json = begin_row(molecule.row, molecule.line, name, smiles, verdict);
  json["score"] = number_or_null(molecule.score);
  if (report_.has_resemblance) {
    json["resembles_training_ood"] = number_or_null(molecule.resembles_training_ood);
  }
  if (report_.seeds > 1) {
    json["deviation"] = number_or_null(molecule.deviation);
  }
  const auto reason = reasons_.find(molecule.row);
  json["reason"] = has_score ? "" : reason == reasons_.end() ? "no molecule" : reason->second;
  return json;
}

void for_each_row(const DomainTable& table, const std::function<void(const Json& row)>& visit) {
  io::CsvReader reader(table.csv.string(), ',');
  const auto header = reader.next();
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; header && i < header->fields.size(); ++i) {
    places[header->fields[i]] = i;
  }
  if (!places.contains("domain")) {
    throw InputError(table.csv.string() + ": is not a table of molgauge domain");
  }
  std::size_t number = 0;
  while (const auto row = reader.next()) {
    const DomainCells cells(places, row->fields);
    std::size_t line = row->line;
    if (places.contains("line")) {
      const std::string text = cells.text("line");
      std::from_chars(text.data(), text.data() + text.size(), line);
    }
    Json json = row_of(cells, number++, line, table.smiles_column);
    if (table.has_predictions) {
      add_prediction(cells, json);
    }
    if (table.has_properties) {
      json["properties"] = properties_json([&](const char* column) { return cells.text(column); });
    }
    if (!table.predicted.empty()) {
      json["predictions"] = json.at("verdict") == "unreadable" ? Json(nullptr) : Json::object();
      for (const std::string& column : table.predicted) {
        if (json["predictions"].is_object()) {
          json["predictions"][column] = cells.number(column);
        }
      }
    }
    visit(json);
  }
}

}  // namespace molgauge::serve
