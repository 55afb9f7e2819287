#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <string>

#include "base/io/bytes/staged_file.h"

namespace molgauge::io {

/// Writes a zip archive of stored (not compressed) entries. finish() renames the complete file to its final
/// name. Equal content gives equal bytes. Entries larger than 4 GiB are written as zip64. Throws Error naming
/// the path if the file cannot be written.
class ZipWriter {
 public:
  /// `largest`: sizes and offsets from this number on are written as zip64. Tests use a small number.
  explicit ZipWriter(const std::filesystem::path& path,
                     std::uint64_t largest = std::numeric_limits<std::uint32_t>::max())
      : file_(path), largest_(largest) {}

  void add(const std::string& name, std::span<const std::byte> content);

  /// Writes an entry piece by piece. Call begin(), then append() until `size` bytes are written, then end().
  void begin(const std::string& name, std::uint64_t size);
  void append(std::span<const std::byte> piece);
  /// Throws Error if the pieces do not have the announced size.
  void end();

  void finish();

 private:
  bool is_large(std::uint64_t number) const { return number >= largest_; }
  std::uint32_t clipped(std::uint64_t number) const;

  StagedFile file_;
  std::uint64_t largest_;
  std::string directory_;
  std::uint64_t offset_ = 0;  ///< offset of the end of the written data
  std::uint64_t entries_ = 0;

  // The entry that is being written.
  std::string name_;
  std::uint64_t begin_ = 0;  ///< offset of the local header of the entry
  std::uint64_t size_ = 0, written_ = 0;
  std::uint32_t checksum_ = 0;
};

}  // namespace molgauge::io
