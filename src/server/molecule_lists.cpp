#include "server/molecule_lists.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/json/json_reader.h"
#include "base/core/text/csv.h"
#include "base/core/text/utf8.h"
#include "base/io/bytes/line_reader.h"
#include "molecules/files/table_layout.h"

namespace molgauge::serve {
namespace {

/// A JSON list is parsed in memory, which takes several times its length.
constexpr std::uint64_t kLargestJson = std::uint64_t{8} << 20;

void require_text(const ListedMolecule& molecule, const std::string& shown) {
  if (!is_utf8(molecule.smiles) || !is_utf8(molecule.name)) {
    throw InputError(fmt::format("{}:{}: the text is not UTF-8. Save the list as UTF-8 and send it again",
                                 shown, molecule.line));
  }
  if (molecule.smiles.find('\0') != std::string::npos || molecule.name.find('\0') != std::string::npos) {
    throw InputError(fmt::format("{}:{}: the text contains binary data. This is not a list of molecules",
                                 shown, molecule.line));
  }
}

[[noreturn]] void refuse_length(std::size_t most) {
  throw Refused(error_answer(
      413, "limit",
      fmt::format("the list has more than {} molecules, the maximum of this server. Send it in parts",
                  most)));
}

/// A field of a JSON list, and the member of InMemoryPrediction to which its numbers belong.
struct NumberField {
  std::string name;
  double InMemoryPrediction::*number = nullptr;
};

/// Returns the fields that the request names. If two fields have equal names, returns both fields.
std::vector<NumberField> number_fields(const PredictionFields& fields) {
  std::vector<NumberField> all;
  for (const NumberField& field : {NumberField{fields.prediction, &InMemoryPrediction::value},
                                   NumberField{fields.uncertainty, &InMemoryPrediction::uncertainty},
                                   NumberField{fields.lower, &InMemoryPrediction::lower},
                                   NumberField{fields.upper, &InMemoryPrediction::upper}}) {
    if (!field.name.empty()) {
      all.push_back(field);
    }
  }
  return all;
}

void require_own_name(const std::string& field) {
  std::string name = field;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  if (name == "smiles" || name == "name" || name == "names") {
    throw InputError(
        fmt::format("the list in JSON: the field {} cannot contain predictions, because it contains SMILES "
                    "or names. Send "
                    "the predictions in another field",
                    field));
  }
}

/// Reads the numbers of a field into the molecules.
void read_numbers(const nlohmann::json& json, const NumberField& field,
                  std::vector<ListedMolecule>& molecules) {
  require_own_name(field.name);
  const auto found = json.find(field.name);
  if (found == json.end()) {
    throw InputError(fmt::format(
        "the list in JSON: the field {} is missing. Send a number or null for each molecule in it",
        field.name));
  }
  std::vector<nlohmann::json> entries;
  if (found->is_array()) {
    entries.assign(found->begin(), found->end());
  } else {
    entries.push_back(*found);
  }
  if (entries.size() != molecules.size()) {
    throw InputError(
        fmt::format("the list in JSON: the field {} has {} numbers for {} molecules. Send a number or null "
                    "for each molecule",
                    field.name, entries.size(), molecules.size()));
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!entries[i].is_number() && !entries[i].is_null()) {
      throw InputError(
          fmt::format("the list in JSON: entry {} of the field {} is not a number. Send a number or null for "
                      "each molecule",
                      i + 1, field.name));
    }
    molecules[i].prediction.*field.number =
        entries[i].is_null() ? std::numeric_limits<double>::quiet_NaN() : entries[i].get<double>();
  }
}

/// Converts [{"smiles": "CCO", "name": "ethanol"}, ...] to {"smiles": [...], "names": [...], ...}.
nlohmann::json columns_of(const nlohmann::json& records) {
  nlohmann::json columns = nlohmann::json::object();
  for (const nlohmann::json& record : records) {
    for (const auto& [key, value] : record.items()) {
      columns[key];
    }
  }
  for (const nlohmann::json& record : records) {
    for (auto& [key, values] : columns.items()) {
      values.push_back(record.value(key, nlohmann::json(nullptr)));
    }
  }
  std::vector<std::string> keys;
  for (const auto& [key, values] : columns.items()) {
    keys.push_back(key);
  }
  if (const auto structure = io::find_structure_column(keys)) {
    columns["smiles"] = nlohmann::json(columns[keys[*structure]]);
    for (nlohmann::json& smiles : columns["smiles"]) {
      smiles = smiles.is_null() ? "" : smiles;
    }
  }
  auto name = io::find_column(keys, "name");
  name = name ? name : io::find_column(keys, "id");
  if (name) {
    for (const nlohmann::json& text : nlohmann::json(columns[keys[*name]])) {
      columns["names"].push_back(text.is_string() ? text.get<std::string>()
                                 : text.is_null() ? ""
                                                  : text.dump());
    }
  }
  return columns;
}

std::vector<ListedMolecule> from_json(const std::string& text, const PredictionFields& fields) {
  std::vector<ListedMolecule> molecules;
  try {
    auto json = parse_json(text);
    if (json.is_array()) {
      json = columns_of(json);
    }
    const auto& smiles = json.at("smiles");
    if (smiles.is_string()) {
      molecules.push_back({std::string(io::trimmed(smiles.get<std::string>())), json.value("name", ""), 1});
    } else {
      const auto names = json.value("names", std::vector<std::string>());
      if (!names.empty() && names.size() != smiles.size()) {
        throw InputError(fmt::format("names: {} for {} molecules", names.size(), smiles.size()));
      }
      for (std::size_t i = 0; i < smiles.size(); ++i) {
        molecules.push_back({std::string(io::trimmed(smiles.at(i).get<std::string>())),
                             names.empty() ? "" : names[i], i + 1});
      }
    }
    for (const NumberField& field : number_fields(fields)) {
      read_numbers(json, field, molecules);
    }
  } catch (const nlohmann::json::exception& problem) {
    throw InputError("the list in JSON: " + json_problem(problem) + R"(. Send {"smiles": ["CCO"]})");
  }
  return molecules;
}

ReadList read_json(const Body& body, const ListLimits& limits, const std::string& shown,
                   const PredictionFields& fields) {
  if (body.bytes() > kLargestJson) {
    throw InputError(fmt::format(
        "a list in JSON may have {} bytes. Send a longer list as text/plain or text/csv", kLargestJson));
  }
  ReadList list;
  list.molecules = from_json(body.text(), fields);
  list.records = list.molecules.size();
  if (list.records > limits.max_molecules) {
    refuse_length(limits.max_molecules);
  }
  for (const ListedMolecule& molecule : list.molecules) {
    require_text(molecule, shown);
  }
  return list;
}

std::string with_name(std::string text, const std::string& path, const std::string& name) {
  if (const std::size_t at = text.find(path); at != std::string::npos) {
    text.replace(at, path.size(), name);
  }
  return text;
}

ReadList read_file_of_list(const Body& body, ListForm form, const std::string& smiles_column,
                           const ListLimits& limits, const std::string& shown) {
  const ReadableBody readable(body);
  ReadList list;
  try {
    ListReader reader(readable.path(), smiles_column, extension_of(form));
    while (auto molecule = reader.next()) {
      if (++list.records > limits.max_molecules) {
        refuse_length(limits.max_molecules);
      }
      if (form != ListForm::sdf) {
        require_text(*molecule, shown);
      }
      if (list.records <= limits.max_kept) {
        list.molecules.push_back(std::move(*molecule));
      }
    }
  } catch (const UsageError& problem) {
    throw UsageError(with_name(problem.what(), readable.path(), shown));
  } catch (const InputError& problem) {
    throw InputError(with_name(problem.what(), readable.path(), shown));
  }
  return list;
}

}  // namespace

ListForm list_form(const Request& request) {
  if (request.is_content("application/json")) {
    return ListForm::json;
  }
  if (request.is_content("text/csv")) {
    return ListForm::csv;
  }
  if (request.is_content("chemical/x-mdl-sdfile")) {
    return ListForm::sdf;
  }
  if (request.is_content("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")) {
    return ListForm::workbook;
  }
  if (request.is_content("application/x-ndjson")) {
    return ListForm::json_lines;
  }
  if (request.content_type.empty() || request.is_content("text/plain")) {
    return ListForm::lines;
  }
  throw UsageError(
      "a list of molecules is of type text/plain (lines of SMILES), text/csv, chemical/x-mdl-sdfile, "
      "application/json, application/x-ndjson or the type of .xlsx");
}

std::string extension_of(ListForm form) {
  switch (form) {
    case ListForm::lines:
      return ".smi";
    case ListForm::sdf:
      return ".sdf";
    case ListForm::workbook:
      return ".xlsx";
    case ListForm::json_lines:
      return ".jsonl";
    default:
      return ".csv";
  }
}

ListReader::ListReader(const std::filesystem::path& path, const std::string& smiles_column,
                       std::string extension) {
  io::MoleculeReaderOptions options;
  options.smiles_column = smiles_column;
  options.own_columns = io::OwnColumns::of_tables;
  options.extension = std::move(extension);
  reader_ = io::open_molecules(path.string(), options);
}

std::optional<ListedMolecule> ListReader::next() {
  auto row = reader_->next();
  if (!row) {
    return std::nullopt;
  }
  return ListedMolecule{std::move(row->record.text), io::name_in_row(reader_->columns(), row->fields),
                        row->record.line, std::move(row->record.unreadable)};
}

ReadList read_list(const Body& body, ListForm form, const std::string& smiles_column,
                   const ListLimits& limits, const std::string& shown, const PredictionFields& fields) {
  ReadList list = form == ListForm::json ? read_json(body, limits, shown, fields)
                                         : read_file_of_list(body, form, smiles_column, limits, shown);
  if (list.records == 0) {
    throw InputError("the list has no molecule");
  }
  return list;
}

std::string csv_of(const std::vector<ListedMolecule>& molecules, const PredictionFields& fields) {
  std::vector<NumberField> numbers;
  for (const NumberField& field : number_fields(fields)) {
    if (std::none_of(numbers.begin(), numbers.end(),
                     [&](const NumberField& other) { return other.name == field.name; })) {
      numbers.push_back(field);
    }
  }
  std::string text = "smiles,name";
  for (const NumberField& field : numbers) {
    text += ',' + csv_field(field.name);
  }
  text += '\n';
  for (const ListedMolecule& molecule : molecules) {
    text += csv_field(molecule.smiles) + ',' + csv_field(molecule.name);
    for (const NumberField& field : numbers) {
      const double number = molecule.prediction.*field.number;
      text += ',' + (std::isnan(number) ? std::string() : fmt::format("{}", number));
    }
    text += '\n';
  }
  return text;
}

}  // namespace molgauge::serve
