#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "molecules/encoding/shards/shard_manifest.h"

namespace molgauge::pipeline {

/// The shards of one input that a folder holds, by their numbers.
struct ShardSet {
  std::filesystem::path folder;
  std::vector<ShardManifest> shards;
  std::vector<Shard> without_manifest;  ///< shards that were begun and have no part yet
  std::vector<Shard> missing;           ///< shards that were not begun

  std::size_t rows() const;
  std::size_t failed() const;
};

/// Finds the shards in a folder. Throws InputError if the folder has no shards, a manifest is unreadable, or
/// the shards belong to different work. The message names the difference.
ShardSet find_shards(const std::filesystem::path& folder);

/// Lists the problems that prevent joining the shards, one line each with its fix: missing or unfinished
/// shards, and missing or damaged files. Reads every file.
std::vector<std::string> verify_shards(const ShardSet& set);

/// Throws InputError that lists the missing shards, unless every shard is complete. Does not read the parts.
void require_complete(const ShardSet& set);

}  // namespace molgauge::pipeline
