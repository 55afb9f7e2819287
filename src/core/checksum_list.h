#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// The content of checksums.xxh128: a first line that names the format, a line "CHECKSUM  NAME" for each
/// file, sorted by name, and the checksum of these lines, in the same form. A file that is being replaced is
/// listed twice, with its new and its old checksum, until it is replaced again.
///
/// Checksums are XXH3-128, 32 hexadecimal digits in the order of `xxh128sum`.
class ChecksumList {
 public:
  struct Entry {
    std::string checksum, name;
  };

  static constexpr const char* kFile = "checksums.xxh128";

  /// Whether the text begins like such a list.
  static bool is_list(std::string_view text);
  /// None where the text is not one of text().
  static std::optional<ChecksumList> parse(std::string_view text);
  std::string text() const;

  const std::vector<Entry>& entries() const { return entries_; }
  bool lists(const std::string& name) const;
  /// Whether a file of this name may have this checksum.
  bool allows(const std::string& name, const std::string& checksum) const;

  /// From now on `name` may have the checksum `next`, and also `now`, its present one, if the list allows it.
  void announce(const std::string& name, const std::string& next, const std::optional<std::string>& now);
  void remove(const std::string& name);

 private:
  std::vector<Entry> entries_;  ///< sorted by name; the newest first
};

/// The list of a folder; none where it has none. Throws InputError, which ends with `way_out`, where it is
/// damaged.
std::optional<ChecksumList> read_checksum_list(const std::filesystem::path& folder,
                                               const std::string& way_out);

/// XXH3-128 of a file's content, 32 hexadecimal digits; none if it cannot be read or is not a regular
/// file.
std::optional<std::string> checksum_of_content(const std::filesystem::path& file);

}  // namespace headroom
