#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/hash.h"

namespace molgauge::serve {

/// The rows of a result in a file with a line of JSON for each row. The file grows while rows are computed.
///
/// Only complete rows count. After a kill or on a full disk, the file may end with a part of a row. The next
/// append() removes this part. Readers do not change the file.
///
/// Thread safety: only one thread may write. Any thread may call the const methods.
class RowLog {
 public:
  /// The content of a finished file.
  struct Seal {
    std::uint64_t rows = 0, bytes = 0;
    std::string checksum;  ///< XXH3-128, 32 hexadecimal digits; empty if it is unknown
  };

  /// Finds the rows of the file. The file need not exist, and is not changed. Throws Error if the file cannot
  /// be read to its end.
  explicit RowLog(std::filesystem::path file);

  const std::filesystem::path& file() const { return file_; }
  std::size_t rows() const;
  std::uint64_t bytes() const;

  /// Appends whole lines. Throws Error if the lines cannot be written. In this case, none of them counts.
  void append(std::string_view lines);
  /// Removes all rows.
  void clear();
  /// Removes an incomplete row at the end, and syncs the file. Throws Error if this fails.
  Seal seal();

  /// Rows of the file, starting with `first`. A slice has at most `count` rows. It ends after about 16 MiB,
  /// but has at least one row if there is one. `next`: the index of the following row.
  struct Slice {
    std::string lines;
    std::size_t next = 0;
  };
  Slice slice(std::size_t first, std::size_t count) const;

 private:
  std::filesystem::path file_;
  mutable std::mutex mutex_;
  std::vector<std::uint64_t> starts_;  ///< offset of each row
  std::uint64_t bytes_ = 0;            ///< bytes of complete rows
  std::unique_ptr<GrowingHash128> hash_ = std::make_unique<GrowingHash128>();
};

/// Describes how a file differs from the file that was sealed. Returns an empty text if there is no
/// difference. Reads the whole file.
std::string difference_from(const RowLog::Seal& seal, const std::filesystem::path& file);

}  // namespace molgauge::serve
