#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "io/bytes/staged_file.h"

namespace headroom::io {

/// Writes a zip archive of stored (not compressed) entries; the file appears under its name, whole, in
/// finish(). Equal content gives equal bytes. Throws Error naming the path, also when an entry or the archive
/// is larger than 4 GiB, which would need zip64.
class ZipWriter {
 public:
  explicit ZipWriter(const std::filesystem::path& path) : file_(path) {}

  void add(const std::string& name, std::span<const std::byte> content);
  void finish();

 private:
  std::uint32_t checked(std::uint64_t size) const;

  StagedFile file_;
  std::string directory_;
  std::uint64_t offset_ = 0;
  std::uint16_t entries_ = 0;
};

}  // namespace headroom::io
