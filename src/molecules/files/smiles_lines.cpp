#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/core/error.h"
#include "base/io/bytes/line_reader.h"
#include "molecules/files/molecule_formats.h"
#include "molecules/files/table_layout.h"

namespace molgauge::io {
namespace {

constexpr std::string_view kBlank = " \t";

struct SmilesLine {
  std::string smiles, name;
};

// "SMILES |extension| name": the extension (CXSMILES) is part of the molecule.
SmilesLine split_line(std::string_view line) {
  const std::size_t end = line.find_first_of(kBlank);
  std::string smiles(line.substr(0, end));
  std::string_view rest = end == std::string_view::npos ? std::string_view() : trimmed(line.substr(end));
  const std::size_t close = rest.starts_with('|') ? rest.find('|', 1) : std::string_view::npos;
  if (close != std::string_view::npos) {
    smiles += " " + std::string(rest.substr(0, close + 1));
    rest = trimmed(rest.substr(close + 1));
  }
  return {std::move(smiles), std::string(rest)};
}

std::vector<std::string> tab_fields(std::string_view line) {
  std::vector<std::string> fields;
  for (std::size_t start = 0; start <= line.size();) {
    const std::size_t end = std::min(line.find('\t', start), line.size());
    fields.emplace_back(trimmed(line.substr(start, end - start)));
    start = end + 1;
  }
  return fields;
}

bool is_header(std::string_view line) {
  std::string word(line.substr(0, line.find_first_of(kBlank)));
  std::ranges::transform(word, word.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return word.ends_with("smiles") || find_structure_column(tab_fields(line)).has_value();
}

class SmilesLines final : public MoleculeReader {
 public:
  SmilesLines(const std::string& path, const MoleculeReaderOptions& options)
      : lines_(path, LongLines::are_cut) {
    refuse_smiles_column(path, options, "a list of SMILES");
    for (const std::string& name : options.extra_columns) {
      if (name != "name") {
        throw InputError(path + ": a list of SMILES has no column \"" + name +
                         "\", only \"name\". Put the molecules into a .csv");
      }
    }
    names_ = options.extra_columns.size();
    own_columns_ = options.own_columns;
  }

  std::optional<MoleculeRow> next() override {
    while (const auto line = lines_.next()) {
      const std::string_view text = trimmed(*line);
      if (text.empty() || text.starts_with('#')) {
        continue;
      }
      if (std::exchange(is_first_, false) && is_header(text)) {
        smiles_field_ = find_structure_column(tab_fields(text)).value_or(0);
        continue;
      }
      if (!smiles_field_) {
        smiles_field_ = find_smiles_field(text);
      }
      SmilesLine parts = *smiles_field_ == 0 ? split_line(text) : split_fields(text);
      MoleculeRow molecule;
      molecule.record.text = std::move(parts.smiles);
      molecule.record.row = count_++;
      molecule.record.line = lines_.line();
      molecule.record.file = lines_.file();
      if (lines_.cut()) {
        molecule.record.unreadable = "the line has " + too_long(lines_.cut()->bytes, kLongestLine);
      }
      cut_long_text(molecule.record);
      molecule.fields.assign(names_, parts.name);
      if (own_columns_ == OwnColumns::all) {
        molecule.fields.push_back(molecule.record.text);
      }
      if (own_columns_ != OwnColumns::none) {
        molecule.fields.push_back(parts.name);
      }
      return molecule;
    }
    return std::nullopt;
  }

  std::vector<std::string> columns() const override {
    if (own_columns_ == OwnColumns::all) {
      return {"smiles", "name"};
    }
    return {"name"};
  }

 private:
  /// Names come first in a list from a spreadsheet with the columns name and SMILES.
  static std::size_t find_smiles_field(std::string_view line) {
    const std::vector<std::string> fields = tab_fields(line);
    if (fields.size() < 2 || is_clearly_smiles(fields.front())) {
      return 0;
    }
    const auto smiles = std::ranges::find_if(fields, is_clearly_smiles);
    return smiles == fields.end() ? 0 : static_cast<std::size_t>(smiles - fields.begin());
  }

  SmilesLine split_fields(std::string_view line) const {
    std::vector<std::string> fields = tab_fields(line);
    fields.resize(std::max(fields.size(), *smiles_field_ + 1));
    return {std::move(fields[*smiles_field_]), std::move(fields.front())};
  }

  LineReader lines_;
  std::size_t names_ = 0, count_ = 0;
  bool is_first_ = true;
  std::optional<std::size_t> smiles_field_;  ///< among fields separated by tabs, known after the first line
  OwnColumns own_columns_ = OwnColumns::none;
};

}  // namespace

std::unique_ptr<MoleculeReader> open_smiles_lines(const std::string& path,
                                                  const MoleculeReaderOptions& options) {
  return std::make_unique<SmilesLines>(path, options);
}

}  // namespace molgauge::io
