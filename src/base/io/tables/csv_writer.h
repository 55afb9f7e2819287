#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/core/text/csv.h"
#include "base/io/bytes/staged_file.h"

namespace molgauge::io {

/// Writes a CSV file (RFC 4180, lines end in LF). finish() renames the complete file to its final name.
/// Throws Error naming the path if the file cannot be written, or if a row and the header have different
/// numbers of fields.
class CsvWriter {
 public:
  CsvWriter(const std::filesystem::path& path, const std::vector<std::string>& header,
            CsvTexts texts = CsvTexts::exact);

  void append(const std::vector<std::string>& row);
  void finish() { file_.commit(); }

 private:
  StagedFile file_;
  CsvTexts texts_;
  std::size_t columns_;
};

}  // namespace molgauge::io
