#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "molecules/files/molecule_reader.h"
#include "molgauge/in_memory.h"
#include "server/exchange.h"

namespace molgauge::serve {

/// The form of a list of molecules. The content type of the request determines it.
enum class ListForm { lines, csv, sdf, workbook, json, json_lines };

/// Throws UsageError for other content types.
ListForm list_form(const Request& request);
/// Returns ".smi", ".csv", ".sdf", ".xlsx" or ".jsonl". A list in JSON is stored as CSV.
std::string extension_of(ListForm form);

/// The names of the columns of a CSV or SDF file, or of the fields of a JSON list, that contain predictions
/// of the user's model. A name is empty if the request does not give it.
struct PredictionFields {
  std::string prediction, uncertainty, lower, upper;
  bool empty() const { return prediction.empty(); }
};

struct ListedMolecule {
  std::string smiles, name;
  /// The line in the input, from 1. For JSON, the number of the molecule in the list, from 1.
  std::size_t line = 0;
  std::string unreadable = {};         ///< reason why `smiles` is only the beginning of the text. Empty for a
                                       ///< complete text
  InMemoryPrediction prediction = {};  ///< prediction from a list in JSON
};

/// Reads the molecules of a list in lines, CSV, SDF or a spreadsheet, exactly as the engine reads the file of
/// a job (io::open_molecules). Comments, empty lines and headers are left out. Line numbers are the numbers
/// in the file.
class ListReader {
 public:
  /// `extension`: the format, such as ".smi". If it is empty, the extension of the path is used. Throws
  /// InputError and UsageError like io::open_molecules().
  ListReader(const std::filesystem::path& path, const std::string& smiles_column, std::string extension = {});
  /// Returns the next molecule, or nothing at the end. For an SDF file, `smiles` contains the mol block. If
  /// the list is malformed, throws InputError with the line.
  std::optional<ListedMolecule> next();

 private:
  std::unique_ptr<io::MoleculeReader> reader_;
};

/// A list that was read within limits. It can be answered at once or become a job.
struct ReadList {
  std::size_t records = 0;
  std::vector<ListedMolecule> molecules;  ///< the first `max_kept` molecules, or all molecules of a JSON list
};

struct ListLimits {
  std::size_t max_molecules = 0;  ///< maximum number of molecules. Longer lists are refused
  std::size_t max_kept = 0;       ///< maximum number of molecules in memory
};

/// Reads a list. Texts in lines, CSV and JSON must be UTF-8. `shown`: the name of the body in messages, for
/// example "input.csv". `fields`: names of fields in a JSON list. Each contains a number or null for each
/// molecule.
///
/// Throws Refused with 413 at the first molecule beyond the limit, and InputError with the line if the list
/// is malformed or has no molecules.
ReadList read_list(const Body& body, ListForm form, const std::string& smiles_column,
                   const ListLimits& limits, const std::string& shown, const PredictionFields& fields = {});

/// Writes a list as CSV with the columns smiles and name, and a column for each field.
std::string csv_of(const std::vector<ListedMolecule>& molecules, const PredictionFields& fields = {});

}  // namespace molgauge::serve
