#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "memory/allocator/recordings/recording.h"
#include "memory/allocator/recordings/snapshot_tables.h"

namespace headroom::allocator {

/// A stack in one line, and further facts about it.
struct NamedStack {
  std::string name;  ///< "forward (train.py:12), aten::linear"
  StackSummary summary;
};

/// Names of recorded stacks. The decisive frame is the innermost one of the user's own code, else the
/// innermost one of an installed package; frames of PyTorch's recorder and allocator and of the interpreter
/// are skipped, and so are debuggers and profilers. C++ frames tell which operator or which node of the
/// backward pass made the request. Code that torch.compile generated is named by the user's frame that called
/// it, or by the original frame that PyTorch stored with it. A stack is named only once.
class FrameNames {
 public:
  explicit FrameNames(const SnapshotTables& tables) : tables_(tables) {}

  /// `frames`: a sequence of frames, innermost first; 0 for none. The result keeps its address.
  const NamedStack& of(std::uint32_t frames);

  /// The platform that the frames seen so far show. Without C++ frames: CUDA.
  Platform platform() const { return platform_; }
  bool on_windows() const { return on_windows_; }

 private:
  const SnapshotTables& tables_;
  /// By the content of the frames: every event has a list of frames of its own, but shares the frames in it.
  std::unordered_map<std::uint64_t, NamedStack> names_;
  Platform platform_ = Platform::cuda;
  bool on_windows_ = false;
};

}  // namespace headroom::allocator
