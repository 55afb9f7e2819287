#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "chem/record.h"
#include "encoders/encoder.h"
#include "io/molecules/molecule_reader.h"
#include "pipeline/encode_molecules.h"

namespace headroom::session {

/// The molecules of a file (io/molecules/molecule_reader.h) as the pipeline takes them.
pipeline::MoleculeSource molecules_of(const std::string& path, const std::string& smiles_column);

/// The same, with everything that the file says of them in columns (io::OwnColumns::of_tables):
/// `see` is called with every row before its record is given.
struct MoleculeTable {
  std::shared_ptr<const std::vector<std::string>> columns;  ///< those of an .sdf are known once it is read
  std::optional<std::size_t> smiles_field;                  ///< the SMILES column of a table
  pipeline::MoleculeSource source;
};
MoleculeTable table_of(const std::string& path, const std::string& smiles_column,
                       std::function<void(const io::MoleculeRow&)> see);

/// Throws UsageError where `out` is the file that molecules are read from, which would be lost.
void require_other_file(const std::string& molecules, const std::string& out);

/// What is known of molecules before any of them is parsed.
struct MoleculeList {
  std::size_t records = 0;
  /// Those whose text alone tells that they will be refused (pipeline::will_be_refused).
  std::size_t refused = 0;
  /// Estimated, of the others, in their order; of very many records the largest.
  std::vector<encoders::MoleculeSize> sizes;
  std::uint64_t atoms = 0;             ///< of the others, all together
  std::uint64_t text_bytes = 0;        ///< of all records
  std::uint64_t row_bytes = 0;         ///< of all records, to keep what the input says of them in columns
  std::uint64_t longest_text = 0;      ///< bytes, of all records
  std::uint64_t longest_molecule = 0;  ///< bytes of text, of the others
};

/// Looks through a file, for the plan and the time left. Nothing where that cannot be done beforehand:
/// standard input, a pipe, a damaged file (which the reading proper will report, after the good records
/// before the damage).
MoleculeList list_molecules(const std::string& path, const std::string& smiles_column);
/// The same, for a plan that no reading follows: throws InputError on a file that is missing, cannot be read,
/// is damaged or holds no records. Nothing for standard input and pipes alone.
MoleculeList require_molecules(const std::string& path, const std::string& smiles_column);
MoleculeList list_molecules(std::span<const chem::MoleculeRecord> records);

}  // namespace headroom::session
