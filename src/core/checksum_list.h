#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// The content of checksums.xxh128: a first line that names the format, a line "CHECKSUM  NAME" for each
/// file, in the order of the names, and the checksum of all that, in the same form. A file is listed twice
/// while it is being replaced, and until it is replaced again: as it will be, and as it was.
///
/// Checksums are XXH3-128, 32 hexadecimal digits in the order of `xxh128sum`.
class ChecksumList {
 public:
  struct Entry {
    std::string checksum, name;
  };

  static constexpr const char* kFile = "checksums.xxh128";

  /// Whether the text begins as such a list does.
  static bool is_list(std::string_view text);
  /// Nothing where the text is not what text() gave.
  static std::optional<ChecksumList> parse(std::string_view text);
  std::string text() const;

  const std::vector<Entry>& entries() const { return entries_; }
  bool lists(const std::string& name) const;
  /// Whether a file of this name may hold this.
  bool allows(const std::string& name, const std::string& checksum) const;

  /// From now on `name` may hold `next`, and `now`, what it does hold, unless that is damage.
  void announce(const std::string& name, const std::string& next, const std::optional<std::string>& now);
  void remove(const std::string& name);

 private:
  std::vector<Entry> entries_;  ///< sorted by name; the newest first
};

/// The list of a folder; nothing where it has none. Throws InputError, which ends with `way_out`, where it is
/// damaged.
std::optional<ChecksumList> read_checksum_list(const std::filesystem::path& folder,
                                               const std::string& way_out);

/// XXH3-128 of what a file holds, 32 hexadecimal digits; nothing where it cannot be read.
std::optional<std::string> checksum_of_content(const std::filesystem::path& file);

}  // namespace headroom
