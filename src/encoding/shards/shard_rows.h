#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/hash.h"
#include "data/io/tables/csv_reader.h"
#include "encoding/shards/shard_manifest.h"

namespace headroom::pipeline {

/// The rows of a finished shard, one after the other, as bytes of its number type. A part's checksum is
/// compared when its last row has been read. Memory: a buffer of 256 KiB, or of one row; 32 MiB for any
/// number of shards whose rows are shorter than that.
class ShardRows {
 public:
  /// `manifest` outlives the object.
  ShardRows(std::filesystem::path shard_folder, const ShardManifest& manifest);

  /// The next row, until the next call. Throws InputError naming the part where it is missing, has another
  /// shape or content than the manifest says, or there are no more rows.
  std::span<const std::byte> next();

 private:
  void open_part();
  void close_part();
  void fill();
  [[noreturn]] void refuse(const std::string& reason) const;

  std::filesystem::path folder_;
  const ShardManifest& manifest_;
  std::size_t row_bytes_, part_ = 0, rows_left_ = 0;
  std::unique_ptr<GrowingHash128> hash_;
  std::uint64_t read_to_ = 0;
  std::vector<std::byte> buffer_;
  std::size_t buffer_begin_ = 0, buffer_end_ = 0;
};

/// A record that failed, as the CSV of its part has it.
struct FailedRow {
  std::size_t row = 0;  ///< of the whole input
  std::string line, text, reason;
};

/// The records of a finished shard that failed, in the order of their rows.
class ShardFailures {
 public:
  /// `manifest` outlives the object.
  ShardFailures(std::filesystem::path shard_folder, const ShardManifest& manifest);

  /// Nothing at the end. Throws InputError naming the file where it is missing or has another content than
  /// the manifest says.
  std::optional<FailedRow> next();

 private:
  std::filesystem::path folder_;
  const ShardManifest& manifest_;
  std::size_t next_part_ = 0;
  std::filesystem::path path_;
  std::unique_ptr<io::CsvReader> file_;
};

}  // namespace headroom::pipeline
