#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/tables/csv_reader.h"
#include "serve/exchange.h"

namespace headroom::serve {

/// The form of a list of molecules, by its content type.
enum class ListForm { lines, csv, sdf, json };

/// Throws UsageError where the type is none of them.
ListForm list_form(const Request& request);
/// ".smi", ".csv", ".sdf"; a list in JSON is kept as CSV.
std::string extension_of(ListForm form);

struct ListedMolecule {
  std::string smiles, name;
  std::size_t line = 0;
};

/// A list of SMILES that a request holds as lines or JSON, {"smiles": [...], "names": [...]}. Throws
/// InputError where it is no such list, or has none or more than `most` molecules.
std::vector<ListedMolecule> read_list(const Request& request, ListForm form, std::size_t most);

/// A list in lines, as read_list() reads it.
std::vector<ListedMolecule> listed_lines(const std::string& text);

/// Writes a list from JSON as CSV with the columns smiles and name.
void write_csv(const std::vector<ListedMolecule>& molecules, const std::filesystem::path& path);

/// The number of records, without reading them: lines, or ends of records of an .sdf. At least the true
/// number for a CSV, whose texts may span lines.
std::size_t count_records(const std::filesystem::path& path);

/// The SMILES of a .smi or .csv, one after the other, as `headroom encode` reads them.
class ListReader {
 public:
  /// Throws InputError where a .csv has no column of this name.
  ListReader(const std::filesystem::path& path, const std::string& smiles_column);
  std::optional<ListedMolecule> next();

 private:
  std::optional<io::LineReader> lines_;
  std::optional<io::CsvReader> rows_;
  std::size_t smiles_ = 0;
  std::optional<std::size_t> name_;
};

}  // namespace headroom::serve
