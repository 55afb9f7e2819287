#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/io/tensors/tensor_data.h"
#include "molecules/encoding/shards/shard.h"
#include "molecules/store/features/feature_space.h"

namespace molgauge::pipeline {

/// A finished part of a shard: an array of rows, with NaN for failed records, and a CSV of the failed
/// records.
struct ShardPart {
  std::size_t rows = 0, failed = 0;
  std::string checksum;           ///< XXH3-128 of the array file, 32 hexadecimal digits
  std::string failures_checksum;  ///< XXH3-128 of the CSV; empty if no record failed
};

/// The settings and the input that determine the rows of a shard.
struct ShardWork {
  Shard shard;
  std::size_t part_rows = 0;                         ///< maximum number of rows in a part
  io::DataType number_type = io::DataType::float32;  ///< float16 or float32
  store::FeatureSpace space;
  std::string random_weights;  ///< text as in EncoderIdentity
  std::string input;           ///< name of the input file, without folders
  std::uint64_t input_bytes = 0;
  std::string input_checksum;  ///< XXH3-128 of the file
  std::string smiles_column;

  /// Describes the first difference from `other`, for example another input file. Returns an empty text if
  /// everything except the number of the shard is equal.
  std::string difference(const ShardWork& other) const;
};

/// The file manifest.json in the folder of a shard (docs/reference/formats.md). It is replaced after every
/// part.
struct ShardManifest {
  ShardWork work;
  std::vector<ShardPart> parts;  ///< parts in the order of the rows
  bool is_complete = false;      ///< the parts hold all records of the shard

  std::size_t rows() const;
  std::size_t failed() const;
};

std::filesystem::path manifest_path(const std::filesystem::path& shard_folder);
/// Returns the path of the rows of a part, such as part-000007.npy. Failed records are in
/// part-000007.failed.csv.
std::filesystem::path part_path(const std::filesystem::path& shard_folder, std::size_t part);

/// Reads the manifest. Returns nothing if the shard has no manifest yet. Throws InputError that names the
/// file if the manifest is damaged or of a newer version.
std::optional<ShardManifest> read_manifest(const std::filesystem::path& shard_folder);
/// Replaces the manifest atomically. It is on disk when this returns.
void write_manifest(const std::filesystem::path& shard_folder, const ShardManifest& manifest);

}  // namespace molgauge::pipeline
