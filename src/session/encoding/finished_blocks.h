#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/hash.h"

namespace headroom::session {

/// The finished blocks of long work, in a folder beside its output, so that an interrupted command continues
/// where it stopped. A block is a file of its own with the fingerprint of the work and a checksum; a block
/// that is damaged or belongs to other work is computed again.
class FinishedBlocks {
 public:
  /// The folder must exist. `fingerprint`: hash of everything that the blocks depend on.
  FinishedBlocks(std::filesystem::path folder, Hash128 fingerprint)
      : folder_(std::move(folder)), fingerprint_(fingerprint) {}

  /// The content that keep() stored for the block; none where it is not finished.
  std::optional<std::string> find(std::size_t block) const;
  /// The block is on disk when this returns. Throws Error.
  void keep(std::size_t block, std::string_view content) const;

 private:
  std::filesystem::path path_of(std::size_t block) const;

  std::filesystem::path folder_;
  Hash128 fingerprint_;
};

}  // namespace headroom::session
