#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/hash.h"

namespace headroom::session {

/// What long work has finished so far, block by block, in a folder beside its output: an interrupted command
/// goes on where it was. A block is a file of its own with the fingerprint of the work and a checksum; one
/// that is damaged or of other work is done again.
class FinishedBlocks {
 public:
  /// The folder is there. `fingerprint`: of all that the blocks depend on.
  FinishedBlocks(std::filesystem::path folder, Hash128 fingerprint)
      : folder_(std::move(folder)), fingerprint_(fingerprint) {}

  /// What keep() was given for the block; nothing where it is not finished.
  std::optional<std::string> find(std::size_t block) const;
  /// On disk when it returns. Throws Error.
  void keep(std::size_t block, std::string_view content) const;

 private:
  std::filesystem::path path_of(std::size_t block) const;

  std::filesystem::path folder_;
  Hash128 fingerprint_;
};

}  // namespace headroom::session
