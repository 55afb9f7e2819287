#include "base/io/bytes/file_versions.h"

#include "base/core/hash.h"
#include "base/core/text/hexadecimal.h"
#include "base/io/bytes/random_access.h"

namespace molgauge::io {
namespace {

std::string checksum_of(const std::string& name) {
  const auto file = open_random_access(name);
  GrowingHash128 hash;
  hash.append(file->read(0, file->size()));
  return to_hexadecimal(hash.value());
}

/// Returns whether the file has this checksum. A file that cannot be read has changed.
bool has_checksum(const std::string& name, const std::string& checksum) {
  try {
    return checksum_of(name) == checksum;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

FileVersions::FileVersions(std::vector<std::string> files) : files_(std::move(files)) {
  for (const std::string& file : files_) {
    checksums_.push_back(checksum_of(file));
  }
}

std::string FileVersions::checksum(const std::string& settings) const {
  GrowingHash128 hash;
  for (const std::string& checksum : checksums_) {
    hash.append(std::as_bytes(std::span(checksum)));
  }
  hash.append(std::as_bytes(std::span(settings)));
  return to_hexadecimal(hash.value());
}

void FileVersions::require_unchanged() const {
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (!has_checksum(files_[i], checksums_[i])) {
      refuse_changed(files_[i], "the content");
    }
  }
}

}  // namespace molgauge::io
