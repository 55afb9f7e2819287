#include <algorithm>
#include <cctype>
#include <mutex>
#include <numeric>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"
#include "base/core/files/shown_path.h"
#include "base/core/session/log.h"
#include "base/core/text/nearest_name.h"
#include "base/io/bytes/packed_source.h"
#include "base/io/tables/csv_reader.h"
#include "molecules/files/json_records.h"
#include "molecules/files/molecule_formats.h"
#include "molecules/files/table_layout.h"
#include "molecules/files/workbook.h"

namespace molgauge::io {
namespace {

bool equal_without_case(std::string_view left, std::string_view right) {
  return std::ranges::equal(
      left, right, [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
}

/// Logs a text unless it was logged before, because files are read several times.
void log_once(const std::string& text) {
  constexpr std::size_t kMostRemembered = 1000;
  static std::mutex mutex;
  static std::set<std::string> logged;
  const std::lock_guard lock(mutex);
  if (logged.size() > kMostRemembered) {
    logged.clear();
  }
  if (logged.insert(text).second) {
    log_info("{}", text);
  }
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
  CsvMolecules(LineReader lines, char usual_separator, const MoleculeReaderOptions& options)
      : rows_(std::move(lines), SeparatorChoice(usual_separator)) {
    read_header(options);
    smiles_ = choose_smiles_column(options);
    for (std::size_t i = 0; i < options.extra_columns.size(); ++i) {
      extra_.push_back(require_column(options.extra_columns[i], correction(options, i)));
    }
    if (options.own_columns != OwnColumns::none) {
      extra_.resize(extra_.size() + header_.size());
      std::iota(extra_.end() - static_cast<std::ptrdiff_t>(header_.size()), extra_.end(), std::size_t{0});
    }
  }

  std::optional<MoleculeRow> next() override {
    auto row = first_row_ ? std::exchange(first_row_, std::nullopt) : rows_.next();
    if (!row) {
      return std::nullopt;
    }
    if (!row->unreadable.empty()) {
      return unreadable_row(*row, row->unreadable, row->fields.front());
    }
    if (row->fields.size() != header_.size()) {
      return unreadable_row(
          *row,
          fmt::format("the row has {} fields, the header has {}. Put fields that contain the "
                      "separator in quotes",
                      row->fields.size(), header_.size()),
          smiles_ < row->fields.size() ? row->fields[smiles_] : "");
    }
    MoleculeRow molecule;
    molecule.record.text = trimmed(row->fields[smiles_]);
    molecule.record.row = count_++;
    molecule.record.line = row->line;
    molecule.record.file = rows_.lines().file();
    cut_long_text(molecule.record);
    for (const std::size_t column : extra_) {
      molecule.fields.push_back(cell(*row, column));
    }
    return molecule;
  }

  std::vector<std::string> columns() const override { return header_; }
  std::optional<std::size_t> smiles_field() const override { return smiles_; }

 private:
  void read_header(const MoleculeReaderOptions& options) {
    auto header = rows_.next();
    if (!header) {
      throw InputError(rows_.lines().file() + ": is empty. A header line with the column names is expected");
    }
    header_line_ = header->line;
    if (!header->unreadable.empty()) {
      rows_.lines().fail(header_line_, header->unreadable);
    }
    for (const std::string& column : header->fields) {
      header_.emplace_back(trimmed(column));
    }
    if (header_.front().starts_with('#')) {
      header_.front() = trimmed(std::string_view(header_.front()).substr(1));
    }
    const bool has_header = has_column(options.smiles_column) || find_structure_column(header_) ||
                            options.smiles_column != MoleculeReaderOptions().smiles_column;
    if (auto names = has_header ? std::nullopt : names_without_header(header->fields)) {
      header_ = std::move(*names);
      first_row_ = std::move(header);
      log_once(fmt::format("{}: the first line is a molecule, so the columns are called {}",
                           rows_.lines().file(), fmt::join(header_, ", ")));
    }
  }

  std::size_t choose_smiles_column(const MoleculeReaderOptions& options) const {
    const auto column = find_structure_column(header_);
    const bool is_default = options.smiles_column == MoleculeReaderOptions().smiles_column;
    if (is_default && column && !has_column(options.smiles_column)) {
      log_once(fmt::format("{}: the column \"{}\" contains the molecules", rows_.lines().file(),
                           header_[*column]));
      return *column;
    }
    return require_column(options.smiles_column,
                          fmt::format(". Name the column with the SMILES by {}", options.smiles_option));
  }

  bool has_column(const std::string& name) const {
    return std::ranges::any_of(header_,
                               [&](const std::string& own) { return equal_without_case(own, name); });
  }

  /// In a table whose fields are not separated by commas, numbers may have decimal commas. Without
  /// semicolons, a number such as "1,234" may also mean 1234, so it stays as it is.
  std::string cell(const CsvRow& row, std::size_t column) const {
    const bool is_text = column == smiles_ || equal_without_case(header_[column], "name") ||
                         equal_without_case(header_[column], "id");
    const std::string& text = row.fields[column];
    const char separator = rows_.separator();
    const bool has_commas = !is_text && separator != ',' && (separator == ';' || !may_be_thousands(text));
    return has_commas ? with_decimal_point(text) : text;
  }

  MoleculeRow unreadable_row(const CsvRow& row, const std::string& reason, const std::string& smiles) {
    MoleculeRow unreadable{
        {smiles, chem::RecordFormat::smiles, count_++, row.line, rows_.lines().file(), reason},
        std::vector<std::string>(extra_.size())};
    for (std::size_t i = 0; i < extra_.size(); ++i) {
      unreadable.fields[i] = extra_[i] == smiles_ ? smiles : "";
    }
    return unreadable;
  }

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
  std::optional<CsvRow> first_row_;  ///< the first line of a table without a header
};

/// Rows whose lines are not those of the table.
class NumberedMolecules final : public MoleculeReader {
 public:
  /// `lines`: the line of each row.
  NumberedMolecules(std::unique_ptr<MoleculeReader> rows, std::vector<std::size_t> lines)
      : rows_(std::move(rows)), lines_(std::move(lines)) {}

  std::optional<MoleculeRow> next() override {
    auto row = rows_->next();
    if (row) {
      row->record.line = lines_.at(row->record.row);
    }
    return row;
  }
  std::vector<std::string> columns() const override { return rows_->columns(); }
  std::optional<std::size_t> smiles_field() const override { return rows_->smiles_field(); }

 private:
  std::unique_ptr<MoleculeReader> rows_;
  std::vector<std::size_t> lines_;
};

/// Reads a table in memory. `path`: the file that it comes from.
std::unique_ptr<MoleculeReader> reader_of(const std::string& path, const std::string& table,
                                          const MoleculeReaderOptions& options) {
  const auto bytes = std::as_bytes(std::span(table));
  return std::make_unique<CsvMolecules>(
      LineReader(shown_path(path), source_of({bytes.begin(), bytes.end()}), LongLines::are_cut), ',',
      options);
}

}  // namespace

std::unique_ptr<MoleculeReader> open_csv_molecules(const std::string& path, char usual_separator,
                                                   const MoleculeReaderOptions& options) {
  return std::make_unique<CsvMolecules>(LineReader(path, LongLines::are_cut), usual_separator, options);
}

std::unique_ptr<MoleculeReader> open_workbook(const std::string& path, const MoleculeReaderOptions& options) {
  return reader_of(path, first_sheet(path), options);
}

std::unique_ptr<MoleculeReader> open_json_records(const std::string& path,
                                                  const MoleculeReaderOptions& options) {
  JsonRecords records = json_records(path);
  auto rows = reader_of(path, records.table, options);
  return std::make_unique<NumberedMolecules>(std::move(rows), std::move(records.lines));
}

}  // namespace molgauge::io
