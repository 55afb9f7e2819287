#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "allocator/snapshot_tables.h"

namespace headroom::allocator {

/// Short names of recorded stacks: the innermost frame that is not part of PyTorch or of its C++ libraries,
/// as "function (file.py:12)". One name a stack, made once.
class FrameNames {
 public:
  explicit FrameNames(const SnapshotTables& tables) : tables_(tables) {}

  /// `frames`: a sequence of frames, innermost first; 0 for none.
  const std::string& of(std::uint32_t frames);

 private:
  std::string name(std::uint32_t frames) const;

  const SnapshotTables& tables_;
  std::unordered_map<std::uint32_t, std::string> names_;
};

}  // namespace headroom::allocator
