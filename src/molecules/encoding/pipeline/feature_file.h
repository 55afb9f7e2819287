#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "base/core/text/csv.h"
#include "molecules/encoding/pipeline/encode_molecules.h"
#include "molecules/encoding/pipeline/row_table.h"

namespace molgauge::pipeline {

/// Throws UsageError unless the file name has the extension of a feature format: .npy, .safetensors or .h5.
/// The message lists the formats. Call it before the work begins.
void require_feature_format(const std::filesystem::path& path);

/// Peak bytes of write_feature_file() for this many rows.
std::uint64_t feature_file_bytes(const std::filesystem::path& path, std::size_t rows, std::size_t width);

/// Writes the rows of an outcome as float32 [rows of the input, width]. Rows are aligned with the input, and
/// the row of a failed record is NaN. The name of the tensor or dataset is "features". If records failed,
/// also writes failures_path(path). Otherwise, removes a file of this name that an earlier run has written.
/// Files are written atomically. `texts`: how the list of failures, a CSV file, represents inputs and
/// reasons. `random_weights`: the value of EncoderIdentity::random_weights. If it is not empty, it becomes
/// the entry "weights" of the metadata. The .npy format has no metadata.
///
/// Memory: a block of rows for .npy, all rows for the other formats. Throws UsageError if the extension is
/// unknown, and Error with the path and the reason if writing fails. Also throws Error if rows were removed
/// from the table since they were encoded.
void write_feature_file(const std::filesystem::path& path, RowTable& table, std::size_t width,
                        const EncodeOutcome& outcome, CsvTexts texts = CsvTexts::exact,
                        const std::string& random_weights = {});

/// Calls `write`, which writes the feature file `path`, and updates failures_path(path). If records failed,
/// the list of failures is written before the feature file. Otherwise, the list of an earlier run is removed
/// after the feature file is written.
void write_with_failures(const std::filesystem::path& path, const FailureLog& failed, CsvTexts texts,
                         const std::function<void()>& write);

/// Returns the path of the list of failed records: features.failed.csv for features.npy.
std::filesystem::path failures_path(const std::filesystem::path& feature_file);

}  // namespace molgauge::pipeline
