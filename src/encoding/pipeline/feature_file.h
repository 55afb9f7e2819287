#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "core/csv.h"
#include "encoding/pipeline/encode_molecules.h"
#include "encoding/pipeline/row_table.h"

namespace headroom::pipeline {

/// Throws UsageError, listing the formats, unless features can be written to a file of this name: .npy,
/// .safetensors or .h5. To be called before the work.
void require_feature_format(const std::filesystem::path& path);

/// Bytes that write_feature_file() holds at once for this many rows.
std::uint64_t feature_file_bytes(const std::filesystem::path& path, std::size_t rows, std::size_t width);

/// Writes the rows of an outcome, float32 [rows of the input, width], aligned with the input, NaN for a
/// failed record; tensor and dataset are called "features". Beside it goes failures_path(path) when any
/// record failed; one of an earlier run is removed when none did. Files appear whole or not at all. `texts`:
/// how inputs and reasons stand in that CSV. `random_weights`: what EncoderIdentity says; unless it is empty,
/// it becomes the entry "weights" of the metadata, which .npy does not have.
///
/// Memory: a block of rows for .npy, all of them for the others. Throws UsageError as above, Error naming the
/// path and the reason, and Error when rows have left the table since they were encoded.
void write_feature_file(const std::filesystem::path& path, RowTable& table, std::size_t width,
                        const EncodeOutcome& outcome, CsvTexts texts = CsvTexts::exact,
                        const std::string& random_weights = {});

/// Calls `write`, which writes the features file `path`; before that writes failures_path(path) where any
/// record failed, and afterwards removes one of an earlier run where none did.
void write_with_failures(const std::filesystem::path& path, const FailureLog& failed, CsvTexts texts,
                         const std::function<void()>& write);

/// features.npy -> features.failed.csv
std::filesystem::path failures_path(const std::filesystem::path& feature_file);

}  // namespace headroom::pipeline
