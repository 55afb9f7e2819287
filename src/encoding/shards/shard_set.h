#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "encoding/shards/shard_manifest.h"

namespace headroom::pipeline {

/// The shards of one input that a folder holds, by their numbers.
struct ShardSet {
  std::filesystem::path folder;
  std::vector<ShardManifest> shards;
  std::vector<Shard> without_manifest;  ///< those that were begun and have no part yet
  std::vector<Shard> missing;           ///< those that were not begun

  std::size_t rows() const;
  std::size_t failed() const;
};

/// Throws InputError where the folder holds no shards, shards of different work (which it names), or a
/// manifest that cannot be read.
ShardSet find_shards(const std::filesystem::path& folder);

/// What keeps the shards from being joined, a line each: shards that are missing or not finished, files that
/// are missing or damaged, and what would mend it. Reads every file.
std::vector<std::string> verify_shards(const ShardSet& set);

/// As far as it is known without reading the parts: throws InputError, naming what is missing, unless every
/// shard is complete.
void require_complete(const ShardSet& set);

}  // namespace headroom::pipeline
