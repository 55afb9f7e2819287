#include <algorithm>
#include <cctype>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "core/nearest_name.h"
#include "data/io/molecules/molecule_formats.h"
#include "data/io/tables/csv_reader.h"

namespace headroom::io {
namespace {

bool equal_without_case(std::string_view left, std::string_view right) {
  return std::ranges::equal(
      left, right, [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
}

// Returns the position of the only column with this name. Searches for the exact name first, then ignores
// case. Returns npos if there is no such column, or more than one.
std::size_t find_only_column(const std::vector<std::string>& header, const std::string& name) {
  const auto find_only = [&](auto same) {
    const auto first = std::ranges::find_if(header, same);
    const bool only = first != header.end() && std::find_if(first + 1, header.end(), same) == header.end();
    return only ? static_cast<std::size_t>(first - header.begin()) : std::string::npos;
  };
  const std::size_t exact = find_only([&](const std::string& column) { return column == name; });
  return exact != std::string::npos
             ? exact
             : find_only([&](const std::string& column) { return equal_without_case(column, name); });
}

class CsvMolecules final : public MoleculeReader {
 public:
  CsvMolecules(const std::string& path, char separator, const MoleculeReaderOptions& options)
      : rows_(path, separator, LongLines::are_cut) {
    auto header = rows_.next();
    if (!header) {
      throw InputError(path + ": is empty. A header line with the column names is expected");
    }
    header_line_ = header->line;
    if (!header->unreadable.empty()) {
      rows_.lines().fail(header_line_, header->unreadable);
    }
    for (const std::string& column : header->fields) {
      header_.emplace_back(trimmed(column));
    }
    smiles_ = require_column(options.smiles_column,
                             fmt::format(". Name the column with the SMILES by {}", options.smiles_option));
    for (std::size_t i = 0; i < options.extra_columns.size(); ++i) {
      extra_.push_back(require_column(options.extra_columns[i], correction(options, i)));
    }
    if (options.own_columns != OwnColumns::none) {
      extra_.resize(extra_.size() + header_.size());
      std::iota(extra_.end() - static_cast<std::ptrdiff_t>(header_.size()), extra_.end(), std::size_t{0});
    }
  }

  std::optional<MoleculeRow> next() override {
    auto row = rows_.next();
    if (!row) {
      return std::nullopt;
    }
    if (!row->unreadable.empty()) {
      MoleculeRow unreadable{{row->fields.front(), chem::RecordFormat::smiles, count_++, row->line,
                              rows_.lines().file(), row->unreadable},
                             std::vector<std::string>(extra_.size())};
      for (std::size_t i = 0; i < extra_.size(); ++i) {
        unreadable.fields[i] = extra_[i] == smiles_ ? row->fields.front() : "";
      }
      return unreadable;
    }
    if (row->fields.size() != header_.size()) {
      rows_.lines().fail(
          row->line,
          fmt::format(
              "the row has {} fields, the header has {}. Put fields that contain the separator in quotes",
              row->fields.size(), header_.size()));
    }
    MoleculeRow molecule;
    molecule.record.text = trimmed(row->fields[smiles_]);
    molecule.record.row = count_++;
    molecule.record.line = row->line;
    molecule.record.file = rows_.lines().file();
    cut_long_text(molecule.record);
    for (const std::size_t column : extra_) {
      molecule.fields.push_back(row->fields[column]);
    }
    return molecule;
  }

  std::vector<std::string> columns() const override { return header_; }
  std::optional<std::size_t> smiles_field() const override { return smiles_; }

 private:
  static std::string correction(const MoleculeReaderOptions& options, std::size_t extra) {
    return extra < options.extra_options.size() ? fmt::format(". Correct {}", options.extra_options[extra])
                                                : "";
  }

  std::size_t require_column(const std::string& name, const std::string& fix) const {
    const std::size_t column = find_only_column(header_, name);
    if (column == std::string::npos) {
      const bool is_repeated =
          std::ranges::any_of(header_, [&](const std::string& own) { return equal_without_case(own, name); });
      rows_.lines().fail(
          header_line_,
          is_repeated ? fmt::format("several columns are named \"{}\". Rename all but one of them", name)
                      : fmt::format("no column \"{}\". The columns are: {}{}{}", name,
                                    fmt::join(header_, ", "), fix, did_you_mean(name, header_)));
    }
    return column;
  }

  CsvReader rows_;
  std::size_t header_line_ = 0, smiles_ = 0, count_ = 0;
  std::vector<std::string> header_;
  std::vector<std::size_t> extra_;
};

}  // namespace

std::unique_ptr<MoleculeReader> open_csv_molecules(const std::string& path, char separator,
                                                   const MoleculeReaderOptions& options) {
  return std::make_unique<CsvMolecules>(path, separator, options);
}

}  // namespace headroom::io
