#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace molgauge {

/// A file that is written from its start to its end, in large pieces, through file_calls(). It is neither
/// synced nor renamed: replace_file() (base/core/files/atomic_file.h) does that. If a method fails, it throws
/// Error. The message contains `shown`, the name by which the user knows the file.
class OutputFile {
 public:
  /// Creates or empties the file.
  OutputFile(const std::filesystem::path& path, std::string shown);
  /// Closes the file and drops buffered bytes, because the file was not finished.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void append(std::span<const std::byte> bytes);
  /// Replaces bytes that were appended before.
  void overwrite(std::uint64_t offset, std::span<const std::byte> bytes);
  /// Writes the buffered bytes and closes the file. No method may be called afterwards.
  void finish();

 private:
  void flush();
  void write_all(std::span<const std::byte> bytes, std::uint64_t offset);

  std::string shown_;
  int descriptor_;
  std::vector<std::byte> gathered_;
  std::uint64_t written_ = 0;  ///< offset of the buffered bytes
};

}  // namespace molgauge
