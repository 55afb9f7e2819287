#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/core/hash.h"
#include "base/io/tables/csv_reader.h"
#include "molecules/encoding/shards/shard_manifest.h"

namespace molgauge::pipeline {

/// Reads the rows of a finished shard in order, as bytes of its number type. Verifies the checksum of a part
/// after its last row. Memory: a buffer of 256 KiB, or of 32 MiB divided by the number of shards if that is
/// less. The buffer holds at least one row.
class ShardRows {
 public:
  /// `manifest` must outlive the object.
  ShardRows(std::filesystem::path shard_folder, const ShardManifest& manifest);

  /// Returns the next row, valid until the next call. Throws InputError that names the part if the part is
  /// missing, if its shape or content differs from the manifest, or if there are no more rows.
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

/// A failed record, as the CSV of its part describes it.
struct FailedRow {
  std::size_t row = 0;  ///< row of the whole input
  std::string line, text, reason;
};

/// The records of a finished shard that failed, in the order of their rows.
class ShardFailures {
 public:
  /// `manifest` must outlive the object.
  ShardFailures(std::filesystem::path shard_folder, const ShardManifest& manifest);

  /// Returns the next failed record, or nothing at the end. Throws InputError that names the file if it is
  /// missing or its content differs from the manifest.
  std::optional<FailedRow> next();

 private:
  std::filesystem::path folder_;
  const ShardManifest& manifest_;
  std::size_t next_part_ = 0;
  std::filesystem::path path_;
  std::unique_ptr<io::CsvReader> file_;
};

}  // namespace molgauge::pipeline
