#pragma once

#include <compare>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "chem/record.h"
#include "encoding/pipeline/encode_molecules.h"

namespace headroom::pipeline {

inline constexpr std::size_t kMaxShards = 1'000;

/// One of `count` shards of an input. The record of row r belongs to shard number r % count + 1, so the sizes
/// of the shards differ by at most one record.
struct Shard {
  std::size_t number = 1;  ///< 1 to count
  std::size_t count = 1;   ///< 1 to kMaxShards

  auto operator<=>(const Shard&) const = default;

  /// The input row of record `index` of this shard, from 0.
  std::size_t row(std::size_t index) const { return index * count + number - 1; }
  /// How many of the first `rows` records of an input belong to the shard.
  std::size_t share_of(std::size_t rows) const { return (rows + count - number) / count; }
};

/// Parses a text such as "3/8". Throws UsageError if it is not a shard.
Shard parse_shard(const std::string& text);
std::string to_string(const Shard& shard);

/// The folder of the shard in the common folder: "shard-0003-of-0008".
std::filesystem::path shard_folder(const std::filesystem::path& common, const Shard& shard);
/// The shard of a folder with such a name. Empty for other names.
std::optional<Shard> shard_of_folder(const std::filesystem::path& folder);

/// The records of a shard, a part at a time, from a source of all records of the input.
class ShardRecords {
 public:
  ShardRecords(MoleculeSource source, Shard shard) : source_(std::move(source)), shard_(shard) {}

  /// Skips records of the shard.
  void skip(std::size_t count);
  /// Returns the next `most` records of the shard. Returns fewer records, but at least one, if their texts
  /// are longer than `most_text` bytes together or the input ends. Empty at the end. `row` of each record is
  /// its position in the part.
  std::vector<chem::MoleculeRecord> next_part(std::size_t most, std::size_t most_text);
  /// The records of the whole input that were read so far. The last record that belongs to another shard may
  /// be missing.
  std::size_t rows_read() const { return rows_read_; }

 private:
  std::optional<chem::MoleculeRecord> next();

  MoleculeSource source_;
  Shard shard_;
  std::size_t rows_read_ = 0;
};

}  // namespace headroom::pipeline
