#pragma once

#include <filesystem>

namespace molgauge::io {

/// Converts a CSV file to a workbook (.xlsx) with one sheet, whose first row stays in view. Cells with
/// decimal numbers of up to 15 digits become numbers. All other cells become texts, also those that begin
/// with "=", so a spreadsheet evaluates no formula. Control characters become U+FFFD. Texts of more than
/// 32,000 bytes are shortened. Reads the CSV file twice and keeps one row in memory. Throws InputError if the
/// file has more than 1,048,576 rows or 16,384 columns, and the errors of CsvReader and ZipWriter.
void write_workbook(const std::filesystem::path& csv, const std::filesystem::path& workbook);

}  // namespace molgauge::io
