#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/core/hash.h"

namespace molgauge::session {

/// The finished blocks of long work, in a folder next to its output. An interrupted command continues from
/// its last block. Each block is a file with the fingerprint of the work and a checksum. A block that is
/// damaged or belongs to other work is computed again.
class FinishedBlocks {
 public:
  /// The folder must exist. `fingerprint`: hash of everything that the blocks depend on.
  FinishedBlocks(std::filesystem::path folder, Hash128 fingerprint)
      : folder_(std::move(folder)), fingerprint_(fingerprint) {}

  /// Returns the content that keep() stored for the block, or nothing if the block is not finished. `inputs`:
  /// hash of inputs that concern only this block and may differ between calls, such as the records of the
  /// block that could not be encoded.
  std::optional<std::string> find(std::size_t block, const Hash128& inputs) const;
  /// Stores the content of a block. The block is on disk when this returns. Throws Error if it cannot be
  /// written.
  void keep(std::size_t block, const Hash128& inputs, std::string_view content) const;

 private:
  std::filesystem::path path_of(std::size_t block) const;
  std::string identity_of(const Hash128& inputs) const;

  std::filesystem::path folder_;
  Hash128 fingerprint_;
};

}  // namespace molgauge::session
