#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "core/csv.h"
#include "data/store/blobs/blob_table.h"
#include "encoding/pipeline/encode_molecules.h"

namespace headroom::pipeline {

/// Throws UsageError unless features of atoms or of pairs can be written to a file of this name: .npz or .h5.
/// To be called before the work.
void require_fine_format(const std::filesystem::path& path);

/// Bytes that write_fine_file() holds at once for so many records, where a molecule's features take `largest`
/// bytes at most.
std::uint64_t fine_file_bytes(std::size_t records, std::uint64_t largest);

/// Writes the features of an outcome's atoms, or of its pairs, which lie in `table` (atom_pair_features.h),
/// one molecule after the other in the order of the records: float32 [rows, width] and the offsets of the
/// records (data/io/tensors/ragged.h); a failed record has no rows. Returns the number of rows. The CSV of
/// failures goes beside the file, as with write_feature_file().
///
/// Memory: the features of one molecule, and 8 bytes a record. Throws UsageError as above, Error naming the
/// path and the reason, and Error when values have left the table since they were computed.
std::size_t write_fine_file(const std::filesystem::path& path, const store::BlobTable& table,
                            std::size_t width, const EncodeOutcome& outcome, CsvTexts texts = CsvTexts::exact,
                            const std::string& random_weights = {});

}  // namespace headroom::pipeline
