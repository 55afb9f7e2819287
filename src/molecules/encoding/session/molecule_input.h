#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "molecules/chem/record.h"
#include "molecules/encoders/encoder.h"
#include "molecules/encoding/pipeline/encode_molecules.h"
#include "molecules/files/molecule_reader.h"

namespace molgauge::session {

/// The molecules of a file (molecules/files/molecule_reader.h) as a source for the pipeline.
pipeline::MoleculeSource molecules_of(const std::string& path, const std::string& smiles_column);

/// The molecules of a file as a source, with all columns of the file (io::OwnColumns::of_tables). The source
/// calls `see` with every row before it returns the record.
struct MoleculeTable {
  /// The names of the columns. For an .sdf, they are complete only after the file was read.
  std::shared_ptr<const std::vector<std::string>> columns;
  std::optional<std::size_t> smiles_field;  ///< index of the SMILES column, if the file is a table
  pipeline::MoleculeSource source;
};
MoleculeTable table_of(const std::string& path, const std::string& smiles_column,
                       std::function<void(const io::MoleculeRow&)> see);

/// Facts about molecules that are known before any of them is parsed.
struct MoleculeList {
  std::size_t records = 0;
  /// Molecules whose text alone shows that they will be refused (pipeline::will_be_refused).
  std::size_t refused = 0;
  /// Estimated sizes of the molecules that are not refused, in order. If there are very many records,
  /// contains only the sizes of the largest molecules.
  std::vector<encoders::MoleculeSize> sizes;
  std::uint64_t atoms = 0;        ///< atoms of the molecules that are not refused
  std::uint64_t text_bytes = 0;   ///< bytes of all records
  std::uint64_t row_bytes = 0;    ///< bytes that the columns of all records take in memory
  std::uint64_t longest_row = 0;  ///< bytes that the columns of one record take in memory, at most
  /// Bytes of a block of kRowsInBlock records, at most: their columns and two copies of their texts.
  std::uint64_t block_bytes = 0;
  std::uint64_t long_name_bytes = 0;   ///< bytes of all names of more than kShortName characters
  std::uint64_t longest_text = 0;      ///< bytes of the longest text of all records
  std::uint64_t longest_molecule = 0;  ///< bytes of the longest text that is not refused
};

/// Verbs that judge candidates read this many records at once.
inline constexpr std::size_t kRowsInBlock = 4096;
/// The memory that verbs count for each molecule includes names of up to this length.
inline constexpr std::size_t kShortName = 200;

/// Bytes that are in use while the columns of one record are read, or read and written. The columns of the
/// longest record are in memory in several copies.
std::uint64_t bytes_of_reading(const MoleculeList& molecules);
std::uint64_t bytes_of_rewriting(const MoleculeList& molecules);

/// Adds the facts about one record, except the facts about its columns.
void add_record(const chem::MoleculeRecord& record, MoleculeList& list);

/// Scans a file for the plan and the time estimate. Returns an empty list for standard input, a pipe and a
/// damaged file. A command reports the damage later, when it encodes the file and reaches the damaged record.
/// `name_column`: column of the names, or empty for the columns of io::name_in_row().
MoleculeList list_molecules(const std::string& path, const std::string& smiles_column,
                            const std::string& name_column = "");
/// Does the same for `molgauge memory plan`, which does not encode the file and would not find errors later.
/// Therefore, this function throws InputError if the file is missing, unreadable, damaged or empty. Returns
/// an empty list only for standard input and pipes.
MoleculeList require_molecules(const std::string& path, const std::string& smiles_column,
                               const std::string& name_column = "");
MoleculeList list_molecules(std::span<const chem::MoleculeRecord> records);

}  // namespace molgauge::session
