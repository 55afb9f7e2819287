#pragma once

#include <string>
#include <vector>

#include "base/core/error.h"
#include "base/core/files/watched_inputs.h"

namespace molgauge::io {

/// The content of files at the moment when a call begins to read them. The checksum of this content is kept
/// with the results, so the results must be made from the same content.
class FileVersions {
 public:
  /// Reads the files. Throws InputError if a file cannot be read.
  explicit FileVersions(std::vector<std::string> files);

  /// One checksum of the content of all files and of the text `settings`: XXH3, 128 bits.
  std::string checksum(const std::string& settings = "") const;

  /// Throws ChangedInput if a file has other content now.
  void require_unchanged() const;

  /// Calls `read`, which reads the files, and returns its result. Throws ChangedInput if a file has other
  /// content after the call, also if `read` throws InputError.
  template <typename Read>
  auto read(const Read& read) const {
    try {
      auto result = read();
      require_unchanged();
      return result;
    } catch (const InputError&) {
      require_unchanged();
      throw;
    }
  }

 private:
  std::vector<std::string> files_;
  std::vector<std::string> checksums_;
};

}  // namespace molgauge::io
