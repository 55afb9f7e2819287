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

/// One of `count` shares of an input. The record of row r belongs to the shard of number r % count + 1,
/// whatever it says: shards of one input differ by one record at most.
struct Shard {
  std::size_t number = 1;  ///< 1 to count
  std::size_t count = 1;   ///< 1 to kMaxShards

  auto operator<=>(const Shard&) const = default;

  /// The row of the input of this shard's record `index`, from 0.
  std::size_t row(std::size_t index) const { return index * count + number - 1; }
  /// How many of the first `rows` records of an input belong to the shard.
  std::size_t share_of(std::size_t rows) const { return (rows + count - number) / count; }
};

/// "3/8". Throws UsageError where the text is no shard.
Shard parse_shard(const std::string& text);
std::string to_string(const Shard& shard);

/// The shard's folder in the common one: "shard-0003-of-0008".
std::filesystem::path shard_folder(const std::filesystem::path& common, const Shard& shard);
/// The shard of a folder with such a name; none for other names.
std::optional<Shard> shard_of_folder(const std::filesystem::path& folder);

/// The records of a shard, a part at a time, from a source of all records of the input.
class ShardRecords {
 public:
  ShardRecords(MoleculeSource source, Shard shard) : source_(std::move(source)), shard_(shard) {}

  /// Passes over records of the shard.
  void skip(std::size_t count);
  /// The next `most` records of the shard, fewer where their texts are longer than `most_text` bytes together
  /// (one at least) or the input ends; none at its end. `row` of each is its place in the part.
  std::vector<chem::MoleculeRecord> next_part(std::size_t most, std::size_t most_text);
  /// Records of the whole input that were read so far; one of another shard behind the last one of this shard
  /// may be missing.
  std::size_t rows_read() const { return rows_read_; }

 private:
  std::optional<chem::MoleculeRecord> next();

  MoleculeSource source_;
  Shard shard_;
  std::size_t rows_read_ = 0;
};

}  // namespace headroom::pipeline
