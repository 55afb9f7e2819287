#include "molecules/pages/number_table.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/files/folder_checksums.h"
#include "base/io/tables/csv_reader.h"
#include "molecules/pages/numbers.h"

namespace molgauge::report {

NumberTable NumberTable::read(const std::filesystem::path& path) {
  require_intact(path, "Run 'molgauge train' again");
  NumberTable table;
  table.file_ = path.string();
  io::CsvReader reader(table.file_, ',');
  const auto header = reader.next();
  if (!header) {
    throw InputError(table.file_ + ": empty");
  }
  table.names_ = header->fields;
  table.columns_.resize(table.names_.size());
  while (const auto row = reader.next()) {
    if (row->fields.size() != table.names_.size()) {
      throw InputError(fmt::format("{}:{}: {} fields, but the header has {}", table.file_, row->line,
                                   row->fields.size(), table.names_.size()));
    }
    for (std::size_t i = 0; i < row->fields.size(); ++i) {
      table.columns_[i].push_back(parse_number(row->fields[i], table.file_, row->line));
    }
  }
  return table;
}

const std::vector<double>& NumberTable::column(const std::string& name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) {
    throw InputError(file_ + ": no column '" + name + "'");
  }
  return columns_[static_cast<std::size_t>(found - names_.begin())];
}

}  // namespace molgauge::report
