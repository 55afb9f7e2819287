#pragma once

#include <compare>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "molecules/chem/record.h"
#include "molecules/encoding/pipeline/encode_molecules.h"

namespace molgauge::pipeline {

inline constexpr std::size_t kMaxShards = 1'000;

/// One of `count` shards of an input. The record of row r belongs to shard number r % count + 1. The numbers
/// of records in two shards differ by at most one.
struct Shard {
  std::size_t number = 1;  ///< 1 to count
  std::size_t count = 1;   ///< 1 to kMaxShards

  auto operator<=>(const Shard&) const = default;

  /// The row in the input of record `index` of this shard. Both count from 0.
  std::size_t row(std::size_t index) const { return index * count + number - 1; }
  /// Returns how many of the first `rows` input records belong to this shard.
  std::size_t share_of(std::size_t rows) const { return (rows + count - number) / count; }
};

/// Parses a text such as "3/8". Throws UsageError for other texts.
Shard parse_shard(const std::string& text);
std::string to_string(const Shard& shard);

/// The folder of a shard below a common folder, for example "shard-0003-of-0008".
std::filesystem::path shard_folder(const std::filesystem::path& common, const Shard& shard);
/// Parses the name of a shard folder. Returns nothing for other names.
std::optional<Shard> shard_of_folder(const std::filesystem::path& folder);

/// Reads the records of a shard in parts, from a source of all records of the input.
class ShardRecords {
 public:
  ShardRecords(MoleculeSource source, Shard shard) : source_(std::move(source)), shard_(shard) {}

  /// Skips the next `count` records of the shard.
  void skip(std::size_t count);
  /// Returns the next `most` records of the shard. A part ends earlier if the texts of its records have at
  /// least `most_text` bytes together, or at the end of the input. After the last record, returns an empty
  /// part. Sets `row` of each record to its position in the part.
  std::vector<chem::MoleculeRecord> next_part(std::size_t most, std::size_t most_text);

 private:
  std::optional<chem::MoleculeRecord> next();

  MoleculeSource source_;
  Shard shard_;
  std::size_t rows_read_ = 0;
};

}  // namespace molgauge::pipeline
