#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace molgauge::report {

/// Columns of numbers, such as training_curve.csv.
class NumberTable {
 public:
  /// Reads a table. Throws InputError with file and line for a row with too few or too many fields, and for a
  /// text that is not a number. "nan" and "inf" are numbers. The file of an interrupted run may have no rows.
  static NumberTable read(const std::filesystem::path& path);

  std::size_t rows() const { return columns_.empty() ? 0 : columns_.front().size(); }
  /// Throws InputError if there is no such column.
  const std::vector<double>& column(const std::string& name) const;

 private:
  std::string file_;
  std::vector<std::string> names_;
  std::vector<std::vector<double>> columns_;
};

}  // namespace molgauge::report
