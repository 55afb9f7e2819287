#pragma once

#include <filesystem>

#include "molecules/encoding/shards/shard_set.h"

namespace molgauge::pipeline {

/// Writes the rows of all shards to a .npy file, in the order of the input and in the number type of the
/// shards. The array is [rows of the input, width]. Writes the failed records to failures_path(out), or
/// removes an old file of that name if no record failed. The files are bit-identical to the files of one
/// process that encodes the whole input. They are replaced atomically. Uses up to 32 MiB of memory, or more
/// if one row of each shard does not fit in 32 MiB.
///
/// Throws UsageError if `out` does not end in .npy. Throws InputError if a shard is missing or incomplete, if
/// a file is missing or damaged, or if all records failed. Throws Error that names `out` if this file cannot
/// be written.
void join_shards(const ShardSet& set, const std::filesystem::path& out);

}  // namespace molgauge::pipeline
