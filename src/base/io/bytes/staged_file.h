#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

#include "base/core/files/output_file.h"

namespace molgauge::io {

/// A file that is written piece by piece under a temporary name. commit() renames it atomically to its final
/// name, so readers see the old content or the complete new content. Without commit(), the destructor removes
/// the temporary file. Every method throws Error naming the final path and the reason.
class StagedFile {
 public:
  explicit StagedFile(std::filesystem::path path);
  ~StagedFile();
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;

  const std::filesystem::path& path() const { return path_; }

  void append(std::span<const std::byte> bytes);
  void append(std::string_view text);
  /// Replaces bytes that have been appended before, for example a header whose numbers are known only at the
  /// end.
  void overwrite(std::uint64_t offset, std::string_view text);
  /// Syncs and renames the file. No other method may be called afterwards.
  void commit();

 private:
  std::filesystem::path path_, staged_;
  OutputFile file_;
  bool committed_ = false;
};

}  // namespace molgauge::io
