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

/// Names recorded stacks. The innermost frame in the code of the user names the stack, otherwise the
/// innermost frame in an installed package. Frames of the recorder and the allocator of PyTorch, of the
/// interpreter, of debuggers and of profilers are skipped. C++ frames give the operator or the node of the
/// backward pass that made the request. Code that torch.compile generated has the name of the frame of the
/// user that called it, or of the original frame that PyTorch stored with it. Names are cached.
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
