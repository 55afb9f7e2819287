#pragma once

#include <filesystem>

#include "encoding/shards/shard_set.h"

namespace headroom::pipeline {

/// Writes the rows of all shards in the order of the input, [rows of the input, width] of the shards' number
/// type, to a .npy file, and the records that failed to failures_path(out): the bytes that one process would
/// have written which encodes the whole input. Files appear whole or not at all. Memory: 32 MiB, or a row of
/// each shard.
///
/// Throws UsageError where `out` does not end in .npy; InputError where a shard is missing or not complete, a
/// file of one is missing or damaged, or not one record is a molecule; Error naming `out`.
void join_shards(const ShardSet& set, const std::filesystem::path& out);

}  // namespace headroom::pipeline
