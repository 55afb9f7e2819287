#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/io/bytes/staged_file.h"
#include "base/io/tables/csv_writer.h"
#include "molecules/chem/record.h"

namespace molgauge::verbs {

/// Names of files that contain the same table as a CSV file. An empty name means no file.
struct TableCopies {
  std::string workbook;  ///< .xlsx, as io::write_workbook() writes it
  std::string sdf;
};

/// Throws UsageError if a name does not end in .xlsx or .sdf.
void require_endings(const TableCopies& copies);

/// Bytes that a copy as .sdf needs while it is written. `longest`: bytes of the longest record.
std::uint64_t bytes_of_copies(const TableCopies& copies, std::uint64_t longest, std::size_t threads);

/// Writes a table with a row for each molecule: a CSV file and its copies.
///
/// The .sdf has a record for each valid molecule. A mol block of the input stays as it is. A SMILES with at
/// most 200 atoms is laid out in two dimensions, and the column `name` is its title. Larger ones are left
/// out. Each cell that is not empty is a data field.
class ResultTable {
 public:
  ResultTable(const std::filesystem::path& csv, std::vector<std::string> header, CsvTexts texts,
              const TableCopies& copies, std::size_t threads);

  void append(const chem::MoleculeRecord& record, std::vector<std::string> cells);
  /// Renames the complete files to their final names. Warns if molecules are missing in the .sdf.
  void finish();

 private:
  struct Row {
    chem::MoleculeRecord record;
    std::vector<std::string> cells;
  };
  /// Returns the record of a row in the .sdf, or an empty text if its molecule cannot be written.
  std::string sdf_record(const Row& row) const;
  void write_waiting();

  std::filesystem::path csv_path_;
  std::vector<std::string> columns_;
  std::optional<std::size_t> title_;  ///< index of the column `name`
  std::string workbook_;
  std::size_t threads_;
  io::CsvWriter csv_;
  std::optional<io::StagedFile> sdf_;
  std::vector<Row> waiting_;  ///< rows that are not yet in the .sdf
  std::size_t waiting_bytes_ = 0, left_out_ = 0;
};

}  // namespace molgauge::verbs
