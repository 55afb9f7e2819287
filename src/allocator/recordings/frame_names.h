#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "allocator/recordings/recording.h"
#include "allocator/recordings/snapshot_tables.h"

namespace headroom::allocator {

/// A stack in one line, and what else it says.
struct NamedStack {
  std::string name;  ///< "forward (train.py:12), aten::linear"
  StackSummary summary;
};

/// Names of recorded stacks. The frame that counts is the innermost one of the user's own code, then the
/// innermost one of an installed package; frames of PyTorch's recorder and allocator and of the interpreter
/// are passed over, and C++ frames say which operator or which node of the backward pass asked. A stack is
/// named once.
class FrameNames {
 public:
  explicit FrameNames(const SnapshotTables& tables) : tables_(tables) {}

  /// `frames`: a sequence of frames, innermost first; 0 for none. The result stays where it is.
  const NamedStack& of(std::uint32_t frames);

 private:
  const SnapshotTables& tables_;
  /// By what the frames are: every event has a list of frames of its own, but the frames in it are shared.
  std::unordered_map<std::uint64_t, NamedStack> names_;
};

}  // namespace headroom::allocator
