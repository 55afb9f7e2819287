#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace headroom::io {

/// A file that is written piece by piece beside its final name and takes that name at once, in commit():
/// readers of the name see the old content or the whole new one. Without commit() the pieces are removed with
/// the object. Every method throws Error naming the final path and the reason.
class StagedFile {
 public:
  explicit StagedFile(std::filesystem::path path);
  ~StagedFile();
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;

  const std::filesystem::path& path() const { return path_; }

  void append(std::span<const std::byte> bytes);
  void append(std::string_view text);
  /// Replaces bytes that have been appended before (a header whose numbers are known at the end).
  void overwrite(std::uint64_t offset, std::string_view text);
  /// Syncs and renames; nothing may be called afterwards.
  void commit();

 private:
  struct Close {
    void operator()(std::FILE* stream) const { std::fclose(stream); }
  };
  [[noreturn]] void fail(const std::string& attempt) const;

  std::filesystem::path path_, staged_;
  std::unique_ptr<std::FILE, Close> stream_;
};

}  // namespace headroom::io
