#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace molgauge::io {

/// Records in JSON, as pandas and databases export them.
struct JsonRecords {
  /// The records as CSV. The header contains all keys, in the order in which they first occur.
  std::string table;
  /// For each record, its line in a file with one record a line, or its number in a list, counted from 1.
  std::vector<std::size_t> lines;
};

/// Whether a file contains a list, as opposed to the object of a DrugOOD file: its first character is '['.
bool is_json_list(const std::string& path);

/// Reads a list of objects, [{"smiles": "CCO", "name": "ethanol"}, ...], or a file with one object in each
/// line. Line breaks in texts become blanks. A missing key and null are empty fields. Throws InputError
/// naming the file for anything else, and for gzip that unpacks to more than read_all() allows.
JsonRecords json_records(const std::string& path);

}  // namespace molgauge::io
