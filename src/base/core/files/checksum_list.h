#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace molgauge {

/// The content of checksums.xxh128. The first line names the format. Then each file has a line
/// "CHECKSUM  NAME". These lines are sorted by name. The last line has the same form and contains the
/// checksum of all lines above it. A file that was replaced has two lines, one with its new checksum and one
/// with its old checksum.
///
/// Checksums are XXH3-128, written as 32 hexadecimal digits in the byte order of `xxh128sum`.
class ChecksumList {
 public:
  struct Entry {
    std::string checksum, name;
  };

  static constexpr const char* kFile = "checksums.xxh128";

  /// Whether the text begins with the first line of a checksum list.
  static bool is_list(std::string_view text);
  /// Parses a text that text() has returned. Returns nothing for any other text.
  static std::optional<ChecksumList> parse(std::string_view text);
  std::string text() const;

  const std::vector<Entry>& entries() const { return entries_; }
  bool lists(const std::string& name) const;
  /// Whether a file of this name may have this checksum.
  bool allows(const std::string& name, const std::string& checksum) const;

  /// Allows the checksum `next` for `name` from now on. The present checksum `now` remains allowed if the
  /// list already allows it.
  void announce(const std::string& name, const std::string& next, const std::optional<std::string>& now);
  void remove(const std::string& name);

 private:
  std::vector<Entry> entries_;  ///< sorted by name. For one name, the newest checksum comes first
};

/// Returns the list of a folder, or nothing if it has none. If the list is damaged, throws InputError whose
/// message ends with `remedy`.
std::optional<ChecksumList> read_checksum_list(const std::filesystem::path& folder,
                                               const std::string& remedy);

/// Returns XXH3-128 of the content of a file as 32 hexadecimal digits. Returns nothing if the file cannot be
/// read or is not a regular file.
std::optional<std::string> checksum_of_content(const std::filesystem::path& file);

}  // namespace molgauge
