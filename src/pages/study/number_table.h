#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::report {

/// Columns of numbers, such as training_curve.csv.
class NumberTable {
 public:
  /// Throws InputError naming file and line on a row of another length and on a text that is not a number
  /// ("nan" and "inf" are). An interrupted run's file may have no rows.
  static NumberTable read(const std::filesystem::path& path);

  std::size_t rows() const { return columns_.empty() ? 0 : columns_.front().size(); }
  /// Throws InputError where there is no such column.
  const std::vector<double>& column(const std::string& name) const;

 private:
  std::string file_;
  std::vector<std::string> names_;
  std::vector<std::vector<double>> columns_;
};

}  // namespace headroom::report
