#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/core/text/csv.h"
#include "molecules/encoding/pipeline/encode_molecules.h"
#include "molecules/store/blobs/blob_table.h"

namespace molgauge::pipeline {

/// Throws UsageError unless the file name has the extension of a format for atom features or pair features:
/// .npz or .h5. Call it before the work begins.
void require_fine_format(const std::filesystem::path& path);

/// Peak bytes of write_fine_file() for this many records. `largest`: the maximum bytes of the features of a
/// molecule.
std::uint64_t fine_file_bytes(std::size_t records, std::uint64_t largest);

/// Writes the atom features or the pair features of an outcome from `table` (atom_pair_features.h), in the
/// order of the records. The file contains float32 [rows, width] and the offsets of the records
/// (base/io/tensors/ragged.h). A failed record has no rows. Returns the number of rows. Writes the CSV of
/// failures next to the file, as write_feature_file() does.
///
/// Memory: the features of one molecule, and 8 bytes for each record. Throws UsageError if the extension is
/// unknown, and Error with the path and the reason if writing fails. Also throws Error if values were removed
/// from the table since they were computed.
std::size_t write_fine_file(const std::filesystem::path& path, const store::BlobTable& table,
                            std::size_t width, const EncodeOutcome& outcome, CsvTexts texts = CsvTexts::exact,
                            const std::string& random_weights = {});

/// The features of atoms or of pairs in memory.
struct FineRows {
  std::vector<float> rows;            ///< row-major [rows, width], in the order of the records
  std::vector<std::int64_t> offsets;  ///< the rows of record i are offsets[i] to offsets[i + 1] - 1
};

/// Reads the features that write_fine_file() writes. Throws Error if values were removed from the table since
/// they were computed.
FineRows read_fine_rows(const store::BlobTable& table, std::size_t width, const EncodeOutcome& outcome);

}  // namespace molgauge::pipeline
