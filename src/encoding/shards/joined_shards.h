#pragma once

#include <filesystem>

#include "encoding/shards/shard_set.h"

namespace headroom::pipeline {

/// Writes the rows of all shards in the order of the input to a .npy file: [rows of the input, width] in the
/// number type of the shards. Writes the failed records to failures_path(out). The files are bit-identical to
/// the files of one process that encodes the whole input. Files appear whole or not at all. Memory: 32 MiB,
/// or a row of each shard.
///
/// Throws UsageError if `out` does not end in .npy. Throws InputError if a shard is missing or incomplete, a
/// file is missing or damaged, or all records failed. Throws Error with `out` if it cannot be written.
void join_shards(const ShardSet& set, const std::filesystem::path& out);

}  // namespace headroom::pipeline
