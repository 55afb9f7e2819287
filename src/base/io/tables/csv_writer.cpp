#include "base/io/tables/csv_writer.h"

#include "base/core/error.h"

namespace molgauge::io {

CsvWriter::CsvWriter(const std::filesystem::path& path, const std::vector<std::string>& header,
                     CsvTexts texts)
    : file_(path), texts_(texts), columns_(header.size()) {
  append(header);
}

void CsvWriter::append(const std::vector<std::string>& row) {
  if (row.size() != columns_) {
    throw Error(file_.path().string() + ": a row has " + std::to_string(row.size()) + " fields, the header " +
                std::to_string(columns_));
  }
  std::string line;
  for (const std::string& field : row) {
    line += (&field == &row.front() ? "" : ",") + csv_field(field, texts_);
  }
  file_.append(line + "\n");
}

}  // namespace molgauge::io
