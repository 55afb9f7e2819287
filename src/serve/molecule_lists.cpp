#include "serve/molecule_lists.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/atomic_file.h"
#include "core/csv.h"
#include "core/error.h"
#include "core/json_reader.h"
#include "core/utf8.h"

namespace headroom::serve {
namespace {

/// A list in JSON is parsed in memory, where it takes several times its length.
constexpr std::uint64_t kLargestJson = std::uint64_t{8} << 20;
constexpr std::size_t kLongestSmiles = 100'000;

ListedMolecule molecule_in(std::string_view line, std::size_t number) {
  const std::size_t begin = line.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) {
    return {};
  }
  line = line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
  const std::size_t blank = line.find_first_of(" \t");
  ListedMolecule molecule{std::string(line.substr(0, blank)), "", number};
  if (blank != std::string_view::npos) {
    molecule.name = line.substr(line.find_first_not_of(" \t", blank));
  }
  return molecule;
}

void require_text(const ListedMolecule& molecule) {
  for (const std::string* const text : {&molecule.smiles, &molecule.name}) {
    if (text->size() > kLongestSmiles) {
      throw InputError(fmt::format("line {}: a text of {} bytes is no SMILES", molecule.line, text->size()));
    }
    for (std::size_t at = 0; at < text->size();) {
      const std::size_t length = utf8_length(*text, at);
      if (length == 0) {
        throw InputError(fmt::format("line {}: is no UTF-8", molecule.line));
      }
      at += length;
    }
  }
}

std::vector<ListedMolecule> from_lines(const std::string& text, std::size_t most) {
  std::vector<ListedMolecule> molecules;
  std::istringstream lines(text);
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line) && molecules.size() <= most; ++number) {
    if (ListedMolecule molecule = molecule_in(line, number); !molecule.smiles.empty()) {
      molecules.push_back(std::move(molecule));
    }
  }
  return molecules;
}

std::vector<ListedMolecule> from_json(const std::string& text) {
  std::vector<ListedMolecule> molecules;
  try {
    const auto json = parse_json(text);
    const auto& smiles = json.at("smiles");
    if (smiles.is_string()) {
      return {{smiles.get<std::string>(), json.value("name", ""), 1}};
    }
    const auto names = json.value("names", std::vector<std::string>());
    if (!names.empty() && names.size() != smiles.size()) {
      throw InputError(fmt::format("names: {} for {} molecules", names.size(), smiles.size()));
    }
    for (std::size_t i = 0; i < smiles.size(); ++i) {
      molecules.push_back({smiles.at(i).get<std::string>(), names.empty() ? "" : names[i], i + 1});
    }
  } catch (const nlohmann::json::exception& problem) {
    throw InputError("the list in JSON: " + json_problem(problem) + R"(; {"smiles": ["CCO"]} is expected)");
  }
  return molecules;
}

std::optional<std::size_t> place_of(const std::vector<std::string>& columns, std::string_view name) {
  const auto found = std::find(columns.begin(), columns.end(), name);
  return found == columns.end() ? std::nullopt
                                : std::optional(static_cast<std::size_t>(found - columns.begin()));
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
  if (request.content_type.empty() || request.is_content("text/plain")) {
    return ListForm::lines;
  }
  throw UsageError(
      "a list of molecules is of type text/plain (lines of SMILES), text/csv, chemical/x-mdl-sdfile or "
      "application/json");
}

std::string extension_of(ListForm form) {
  return form == ListForm::lines ? ".smi" : form == ListForm::sdf ? ".sdf" : ".csv";
}

std::vector<ListedMolecule> read_list(const Request& request, ListForm form, std::size_t most) {
  if (form == ListForm::json && request.body->bytes() > kLargestJson) {
    throw InputError(fmt::format(
        "a list in JSON may have {} bytes; send a longer one as text/plain or text/csv", kLargestJson));
  }
  const std::string text = request.body->text();
  std::vector<ListedMolecule> molecules = form == ListForm::json ? from_json(text) : from_lines(text, most);
  if (molecules.empty()) {
    throw InputError("the list has no molecule");
  }
  if (molecules.size() > most) {
    throw InputError(fmt::format("the list has more than {} molecules", most));
  }
  std::for_each(molecules.begin(), molecules.end(), require_text);
  return molecules;
}

void write_csv(const std::vector<ListedMolecule>& molecules, const std::filesystem::path& path) {
  std::string text = "smiles,name\n";
  for (const ListedMolecule& molecule : molecules) {
    text += csv_field(molecule.smiles) + ',' + csv_field(molecule.name) + '\n';
  }
  replace_file(path, text);
}

std::vector<ListedMolecule> listed_lines(const std::string& text) {
  std::vector<ListedMolecule> molecules = from_lines(text, text.size());
  std::for_each(molecules.begin(), molecules.end(), require_text);
  return molecules;
}

std::size_t count_records(const std::filesystem::path& path) {
  const bool is_sdf = path.extension() == ".sdf";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "re"), &std::fclose);
  if (file == nullptr) {
    throw InputError(path.string() + ": cannot be read");
  }
  std::array<char, 65536> piece{};
  std::size_t lines = 0, dollars = 0, records = 0;
  char last = '\n';
  for (std::size_t count = 0; (count = std::fread(piece.data(), 1, piece.size(), file.get())) > 0;) {
    for (const char letter : std::span(piece).first(count)) {
      dollars = letter == '$' ? dollars + 1 : 0;
      records += dollars == 4 ? 1 : 0;
      lines += letter == '\n' ? 1 : 0;
      last = letter;
    }
  }
  return is_sdf ? std::max<std::size_t>(records, 1) : lines + (last == '\n' ? 0 : 1);
}

ListReader::ListReader(const std::filesystem::path& path, const std::string& smiles_column) {
  if (path.extension() == ".smi") {
    lines_.emplace(path.string());
    return;
  }
  rows_.emplace(path.string(), ',');
  const auto header = rows_->next();
  const auto smiles = header ? place_of(header->fields, smiles_column) : std::nullopt;
  if (!smiles) {
    throw InputError("the list has no column \"" + smiles_column + "\"; name it with smiles_column=");
  }
  smiles_ = *smiles;
  name_ = place_of(header->fields, "name");
}

std::optional<ListedMolecule> ListReader::next() {
  if (lines_) {
    while (const auto line = lines_->next()) {
      if (ListedMolecule molecule = molecule_in(*line, lines_->line()); !molecule.smiles.empty()) {
        return molecule;
      }
    }
    return std::nullopt;
  }
  const auto row = rows_->next();
  if (!row) {
    return std::nullopt;
  }
  const auto field = [&](std::size_t place) { return place < row->fields.size() ? row->fields[place] : ""; };
  return ListedMolecule{field(smiles_), name_ ? field(*name_) : "", row->line};
}

}  // namespace headroom::serve
