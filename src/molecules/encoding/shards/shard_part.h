#pragma once

#include <filesystem>
#include <string>

#include "base/core/text/csv.h"
#include "molecules/encoding/pipeline/encode_molecules.h"
#include "molecules/encoding/pipeline/row_table.h"
#include "molecules/encoding/shards/shard_manifest.h"

namespace molgauge::pipeline {

/// Writes part number `part` of a shard. The first row of the part is record `first` of the shard. Writes an
/// array of float16 or float32 [rows of the outcome, width]. If records failed, also writes a CSV with the
/// columns row (row in the whole input, from 0), line, input and reason. Both files are on disk when this
/// returns. Memory: a block of rows.
///
/// Throws Error that names the file if a number does not fit in float16, or if rows were removed from the
/// table since they were encoded.
ShardPart write_part(const std::filesystem::path& shard_folder, const ShardWork& work, std::size_t part,
                     std::size_t first, RowTable& table, const EncodeOutcome& outcome,
                     CsvTexts texts = CsvTexts::exact);

/// Compares only the CSV of failed records with the manifest. Returns the same kind of text as problem_of().
std::string problem_of_failures(const std::filesystem::path& shard_folder, std::size_t part,
                                const ShardPart& expected);

/// Compares the files of the part with the manifest. Returns "PATH: is missing", "PATH: is damaged", or an
/// empty text if the files are intact.
std::string problem_of(const std::filesystem::path& shard_folder, std::size_t part,
                       const ShardPart& expected);

}  // namespace molgauge::pipeline
