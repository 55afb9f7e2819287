#include "base/core/files/checksum_list.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <span>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/hash.h"
#include "base/core/text/hexadecimal.h"

namespace molgauge {
namespace {

constexpr std::string_view kFirstLine = "molgauge checksums 1\n";
constexpr std::size_t kDigits = 32;

std::string line_of(const std::string& checksum, std::string_view name) {
  return checksum + "  " + std::string(name) + "\n";
}

/// Parses "CHECKSUM  NAME", without the line feed.
std::optional<ChecksumList::Entry> parse_line(std::string_view line) {
  if (line.size() <= kDigits + 2 || line.substr(kDigits, 2) != "  ") {
    return std::nullopt;
  }
  return ChecksumList::Entry{std::string(line.substr(0, kDigits)), std::string(line.substr(kDigits + 2))};
}

}  // namespace

bool ChecksumList::is_list(std::string_view text) { return text.starts_with(kFirstLine); }

std::optional<ChecksumList> ChecksumList::parse(std::string_view text) {
  // The checksum, two blanks, the name of the list and a line feed.
  const std::size_t last_line = kDigits + 2 + std::string_view(kFile).size() + 1;
  if (!is_list(text) || text.size() < kFirstLine.size() + last_line) {
    return std::nullopt;
  }
  const auto listed = text.substr(0, text.size() - last_line);
  if (text.substr(listed.size()) != line_of(to_hexadecimal(hash128(listed)), kFile)) {
    return std::nullopt;
  }
  ChecksumList list;
  for (auto rest = listed.substr(kFirstLine.size()); !rest.empty();) {
    const std::size_t end = rest.find('\n');
    auto entry = end == std::string_view::npos ? std::nullopt : parse_line(rest.substr(0, end));
    if (!entry) {
      return std::nullopt;
    }
    list.entries_.push_back(std::move(*entry));
    rest.remove_prefix(end + 1);
  }
  return list;
}

std::string ChecksumList::text() const {
  std::string text(kFirstLine);
  for (const Entry& entry : entries_) {
    text += line_of(entry.checksum, entry.name);
  }
  return text + line_of(to_hexadecimal(hash128(text)), kFile);
}

bool ChecksumList::lists(const std::string& name) const {
  return std::ranges::any_of(entries_, [&](const Entry& entry) { return entry.name == name; });
}

bool ChecksumList::allows(const std::string& name, const std::string& checksum) const {
  return std::ranges::any_of(
      entries_, [&](const Entry& entry) { return entry.name == name && entry.checksum == checksum; });
}

void ChecksumList::announce(const std::string& name, const std::string& next,
                            const std::optional<std::string>& now) {
  const bool both = now && *now != next && (allows(name, *now) || !lists(name));
  remove(name);
  auto place = std::ranges::upper_bound(entries_, name, {}, &Entry::name);
  place = entries_.insert(place, {next, name});
  if (both) {
    entries_.insert(place + 1, {*now, name});
  }
}

void ChecksumList::remove(const std::string& name) {
  std::erase_if(entries_, [&](const Entry& entry) { return entry.name == name; });
}

std::optional<ChecksumList> read_checksum_list(const std::filesystem::path& folder,
                                               const std::string& remedy) {
  const std::filesystem::path file = folder / ChecksumList::kFile;
  std::error_code unknown;
  if (!std::filesystem::exists(file, unknown)) {
    return std::nullopt;
  }
  auto list = ChecksumList::parse(read_file(file));
  if (!list) {
    throw InputError(file.string() + ": is damaged, so the files next to it cannot be checked. " + remedy +
                     ". Or remove this list to use the files unchecked");
  }
  return list;
}

std::optional<std::string> checksum_of_content(const std::filesystem::path& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) {
    return std::nullopt;
  }
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    close(descriptor);  // reading a device or a pipe may never end
    return std::nullopt;
  }
  GrowingHash128 hash;
  std::vector<std::byte> piece(std::size_t{1} << 18);
  ssize_t count = 0;
  do {
    count = read(descriptor, piece.data(), piece.size());
    if (count > 0) {
      hash.append(std::span(piece).first(static_cast<std::size_t>(count)));
    }
  } while (count > 0 || (count < 0 && errno == EINTR));
  close(descriptor);
  return count == 0 ? std::optional(to_hexadecimal(hash.value())) : std::nullopt;
}

}  // namespace molgauge
