#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/hash.h"

namespace headroom::serve {

/// The rows of a result in a file with a line of JSON for each row. The file grows while rows are computed.
///
/// Only complete rows count. A killed process or a full disk can leave part of a row. The next append() cuts
/// it off. Readers do not change the file.
///
/// Thread safety: one thread writes, any thread may call the other methods.
class RowLog {
 public:
  /// The content of a finished file.
  struct Seal {
    std::uint64_t rows = 0, bytes = 0;
    std::string checksum;  ///< XXH3-128, 32 hexadecimal digits; empty if it is unknown
  };

  /// Finds the rows of the file, which may be absent and is not changed. Throws Error if it cannot be read to
  /// its end.
  explicit RowLog(std::filesystem::path file);

  const std::filesystem::path& file() const { return file_; }
  std::size_t rows() const;
  std::uint64_t bytes() const;

  /// Appends whole lines. Throws Error if they cannot be written. Then none of them counts.
  void append(std::string_view lines);
  /// Drops all rows.
  void clear();
  /// Cuts off part of a row, and makes the rows survive a power cut. Throws Error.
  Seal seal();

  /// The rows from `first` on: `count` at most, and no more than 16 MiB, but at least one row if there is
  /// one. `next`: the row after them.
  struct Slice {
    std::string lines;
    std::size_t next = 0;
  };
  Slice slice(std::size_t first, std::size_t count) const;

 private:
  std::filesystem::path file_;
  mutable std::mutex mutex_;
  std::vector<std::uint64_t> starts_;  ///< where each row begins
  std::uint64_t bytes_ = 0;            ///< of whole rows
  std::unique_ptr<GrowingHash128> hash_ = std::make_unique<GrowingHash128>();
};

/// The reason why a file differs from the sealed file, or empty if it does not differ. Reads the whole file.
std::string difference_from(const RowLog::Seal& seal, const std::filesystem::path& file);

}  // namespace headroom::serve
