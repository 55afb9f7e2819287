#pragma once

#include <string>

namespace molgauge::io {

/// The first sheet of a spreadsheet (.xlsx, Office Open XML, ECMA-376) as the text of a table: a line for
/// each row of the sheet, also for empty rows, and fields that are separated by commas and quoted where
/// needed. Line breaks in cells become blanks, so the line is the number of the row. Numbers are written with
/// as many digits as needed, because Excel stores 5.3 as 5.2999999999999998. Formulas have their stored
/// values.
///
/// Throws InputError naming the file if it is damaged, or unpacks to more than 256 MiB.
std::string first_sheet(const std::string& path);

}  // namespace molgauge::io
