#include "molecules/files/named_table.h"

#include <cmath>
#include <filesystem>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"
#include "base/core/text/nearest_name.h"
#include "base/io/bytes/line_reader.h"
#include "molecules/files/molecule_formats.h"

namespace molgauge::io {
namespace {

struct Registry {
  std::mutex mutex;
  std::map<std::string, const MoleculeTable*, std::less<>> tables;
  std::map<std::string, PartOfRows, std::less<>> parts;
};

Registry& registry() {
  static Registry& all = *new Registry;
  return all;
}

class TableMolecules final : public MoleculeReader {
 public:
  TableMolecules(std::string name, const MoleculeTable& table, const MoleculeReaderOptions& options)
      : name_(std::move(name)), table_(table), columns_{"smiles", "name"} {
    for (const MoleculeTable::Numbers& numbers : table.numbers) {
      columns_.push_back(numbers.name);
    }
    for (const MoleculeTable::Texts& texts : table.texts) {
      columns_.push_back(texts.name);
    }
    require_column(options.smiles_column);
    for (const std::string& column : options.extra_columns) {
      wanted_.push_back(require_column(column));
    }
    if (options.own_columns != OwnColumns::none) {
      wanted_.resize(wanted_.size() + columns_.size());
      std::iota(wanted_.end() - static_cast<std::ptrdiff_t>(columns_.size()), wanted_.end(), std::size_t{0});
    }
  }

  std::optional<MoleculeRow> next() override {
    if (row_ == table_.smiles.size()) {
      return std::nullopt;
    }
    MoleculeRow row;
    row.record = {
        .text = std::string(trimmed(table_.smiles[row_])), .row = row_, .line = row_ + 1, .file = name_};
    cut_long_text(row.record);
    for (const std::size_t column : wanted_) {
      row.fields.push_back(cell(column));
    }
    ++row_;
    return row;
  }
  std::vector<std::string> columns() const override { return columns_; }
  std::optional<std::size_t> smiles_field() const override { return 0; }

 private:
  std::size_t require_column(const std::string& name) const {
    const auto column = find_column(columns_, name);
    if (!column) {
      throw InputError(fmt::format("{}: no column \"{}\". The columns are: {}{}", name_, name,
                                   fmt::join(columns_, ", "), did_you_mean(name, columns_)));
    }
    return *column;
  }

  std::string cell(std::size_t column) const {
    switch (column) {
      case 0:
        return table_.smiles[row_];
      case 1:
        return table_.names.empty() ? fmt::format("row {}", row_) : table_.names[row_];
      default:
        break;
    }
    const std::size_t numbers = table_.numbers.size();
    if (column - 2 >= numbers) {
      return table_.texts[column - 2 - numbers].values[row_];
    }
    const double number = table_.numbers[column - 2].values[row_];
    return std::isnan(number) ? "" : fmt::format("{}", number);
  }

  std::string name_;
  const MoleculeTable& table_;
  std::vector<std::string> columns_;
  std::vector<std::size_t> wanted_;
  std::size_t row_ = 0;
};

/// Returns the rows of a part of a file. The reader of the file returns the column that selects the rows as
/// its last extra column.
class PartMolecules final : public MoleculeReader {
 public:
  PartMolecules(PartOfRows part, const MoleculeReaderOptions& options)
      : part_(std::move(part)),
        place_(options.extra_columns.size()),
        reader_(open_molecules(part_.file, with_column(options))) {}

  std::optional<MoleculeRow> next() override {
    while (auto row = reader_->next()) {
      const bool has_value = trimmed(row->fields[place_]) == part_.value;
      if (has_value == part_.has_value) {
        row->fields.erase(row->fields.begin() + static_cast<std::ptrdiff_t>(place_));
        row->record.row = row_++;
        return row;
      }
    }
    return std::nullopt;
  }
  std::vector<std::string> columns() const override { return reader_->columns(); }
  std::optional<std::size_t> smiles_field() const override { return reader_->smiles_field(); }

 private:
  MoleculeReaderOptions with_column(MoleculeReaderOptions options) const {
    if (options.extra_options.size() == options.extra_columns.size()) {
      options.extra_options.push_back(part_.option);
    }
    options.extra_columns.push_back(part_.column);
    return options;
  }

  PartOfRows part_;
  std::size_t place_, row_ = 0;
  std::unique_ptr<MoleculeReader> reader_;
};

/// Throws UsageError unless each column has one value for each molecule.
void require_equal_lengths(const std::string& name, const MoleculeTable& table) {
  const auto require = [&](const std::string& column, std::size_t count) {
    if (count != table.smiles.size()) {
      throw UsageError(
          fmt::format("{}: the column {} has {} values for {} molecules. Give one for each molecule", name,
                      column, count, table.smiles.size()));
    }
  };
  if (!table.names.empty()) {
    require("name", table.names.size());
  }
  for (const MoleculeTable::Numbers& numbers : table.numbers) {
    require(numbers.name, numbers.values.size());
  }
  for (const MoleculeTable::Texts& texts : table.texts) {
    require(texts.name, texts.values.size());
  }
}

}  // namespace

NamedTable::NamedTable(std::string name, const MoleculeTable& table) : name_(std::move(name)) {
  require_equal_lengths(name_, table);
  const std::lock_guard lock(registry().mutex);
  if (!registry().tables.emplace(name_, &table).second) {
    throw std::logic_error("two tables are named " + name_);
  }
}

NamedTable::~NamedTable() {
  const std::lock_guard lock(registry().mutex);
  registry().tables.erase(name_);
}

NamedPart::NamedPart(PartOfRows part)
    : name_(fmt::format("{} ({} = {}{})", part.file, part.column, part.has_value ? "" : "not ", part.value)) {
  const std::lock_guard lock(registry().mutex);
  if (!registry().parts.emplace(name_, std::move(part)).second) {
    throw std::logic_error("two parts are named " + name_);
  }
}

NamedPart::~NamedPart() {
  const std::lock_guard lock(registry().mutex);
  registry().parts.erase(name_);
}

bool is_named_table(std::string_view name) {
  const std::lock_guard lock(registry().mutex);
  return registry().tables.contains(name) || registry().parts.contains(name);
}

bool is_rereadable(const std::string& path) {
  return is_named_table(path) || std::filesystem::is_regular_file(path);
}

std::unique_ptr<MoleculeReader> open_named_table(const std::string& name,
                                                 const MoleculeReaderOptions& options) {
  std::optional<PartOfRows> part;
  {
    const std::lock_guard lock(registry().mutex);
    if (const auto found = registry().tables.find(name); found != registry().tables.end()) {
      return std::make_unique<TableMolecules>(name, *found->second, options);
    }
    if (const auto found = registry().parts.find(name); found != registry().parts.end()) {
      part = found->second;
    }
  }
  // Opens the file of the part, which can be a table of the registry.
  return part ? std::make_unique<PartMolecules>(std::move(*part), options) : nullptr;
}

}  // namespace molgauge::io
