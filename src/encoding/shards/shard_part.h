#pragma once

#include <filesystem>
#include <string>

#include "core/csv.h"
#include "encoding/pipeline/encode_molecules.h"
#include "encoding/pipeline/row_table.h"
#include "encoding/shards/shard_manifest.h"

namespace headroom::pipeline {

/// Writes part number `part` of a shard, whose first row is record `first` of the shard: the array float16 or
/// float32 [rows of the outcome, width] and, where records failed, the CSV with the columns row (of the whole
/// input, from 0), line, input and reason. Both are on disk when this returns. Memory: a block of rows.
///
/// Throws Error naming the file where a number does not fit float16, or rows have left the table since they
/// were encoded.
ShardPart write_part(const std::filesystem::path& shard_folder, const ShardWork& work, std::size_t part,
                     std::size_t first, RowTable& table, const EncodeOutcome& outcome,
                     CsvTexts texts = CsvTexts::exact);

/// Why the part's CSV of failed records is not what the manifest says, as problem_of().
std::string problem_of_failures(const std::filesystem::path& shard_folder, std::size_t part,
                                const ShardPart& expected);

/// Why the files of the part are not what the manifest says: "PATH: is missing", "PATH: is damaged"; empty
/// where they are.
std::string problem_of(const std::filesystem::path& shard_folder, std::size_t part,
                       const ShardPart& expected);

}  // namespace headroom::pipeline
