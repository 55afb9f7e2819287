#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/io/molecules/molecule_reader.h"
#include "headroom/in_memory.h"
#include "serve/exchange.h"

namespace headroom::serve {

/// The form of a list of molecules, by its content type.
enum class ListForm { lines, csv, sdf, json };

/// Throws UsageError if the type is none of them.
ListForm list_form(const Request& request);
/// ".smi", ".csv", ".sdf"; a list in JSON is kept as CSV.
std::string extension_of(ListForm form);

/// The columns of a CSV or an SDF, or the fields of a list in JSON, with the outputs of the user's model.
/// Empty: not given.
struct PredictionFields {
  std::string prediction, uncertainty, lower, upper;
  bool empty() const { return prediction.empty(); }
};

struct ListedMolecule {
  std::string smiles, name;
  std::size_t line = 0;         ///< of the input, from 1; of JSON its number in the list
  std::string unreadable = {};  ///< the reason why `smiles` is only the beginning of the text; usually empty
  InMemoryPrediction prediction = {};  ///< of a list in JSON
};

/// The molecules of a list in lines, CSV or SDF, one after another, exactly as the engine reads the file of a
/// job (io::open_molecules): without comments, empty lines and a heading, with the line numbers of the file.
class ListReader {
 public:
  /// `extension`: the form, such as ".smi"; empty: the extension of the path. Throws InputError and
  /// UsageError as io::open_molecules().
  ListReader(const std::filesystem::path& path, const std::string& smiles_column, std::string extension = {});
  /// `smiles` is the mol block of an SDF. Throws InputError naming the line.
  std::optional<ListedMolecule> next();

 private:
  std::unique_ptr<io::MoleculeReader> reader_;
};

/// A list that was read once, within limits, whatever is done with it then.
struct ReadList {
  std::size_t records = 0;
  std::vector<ListedMolecule> molecules;  ///< all of them of a list in JSON; else `max_kept` at most
};

struct ListLimits {
  std::size_t max_molecules = 0;  ///< one more is refused
  std::size_t max_kept = 0;       ///< molecules that are kept in memory
};

/// Reads a list. Every text of lines, CSV and JSON must be UTF-8. `shown`: what messages call the body, as
/// "input.csv". `fields`: of a list in JSON, each with a number or null for each molecule.
///
/// Throws Refused with 413 at the first molecule beyond the limit, and InputError naming the line if the list
/// is malformed or has no molecule.
ReadList read_list(const Body& body, ListForm form, const std::string& smiles_column,
                   const ListLimits& limits, const std::string& shown, const PredictionFields& fields = {});

/// A list as CSV with the columns smiles and name, and a column for each of the fields.
std::string csv_of(const std::vector<ListedMolecule>& molecules, const PredictionFields& fields = {});

}  // namespace headroom::serve
