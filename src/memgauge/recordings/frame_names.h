#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "memgauge/recordings/recording.h"
#include "memgauge/recordings/snapshot_tables.h"

namespace molgauge::allocator {

/// A stack as one line of text, and further facts about it.
struct NamedStack {
  std::string name;  ///< "forward (train.py:12), aten::linear"
  StackSummary summary;
};

/// Names recorded stacks after the innermost frame in the code of the user, otherwise after the innermost
/// frame in an installed package. Frames of the recorder, the allocator, the interpreter, debuggers and
/// profilers are skipped. C++ frames give the operator or the backward node that made the request. Code from
/// torch.compile is named after the user frame that called the code, or after the original frame that PyTorch
/// stored with the code. Names are cached.
class FrameNames {
 public:
  explicit FrameNames(const SnapshotTables& tables) : tables_(tables) {}

  /// `frames`: the number of a sequence of frames, innermost first, or 0 for none. References to the result
  /// stay valid.
  const NamedStack& of(std::uint32_t frames);

  /// Returns the platform according to the frames so far, or CUDA if there are no C++ frames.
  Platform platform() const { return platform_; }
  bool on_windows() const { return on_windows_; }

 private:
  const SnapshotTables& tables_;
  /// The named stacks, by a hash of their frames. The number of the sequence cannot be the key, because each
  /// event has its own sequence, although events share frames.
  std::unordered_map<std::uint64_t, NamedStack> names_;
  Platform platform_ = Platform::cuda;
  bool on_windows_ = false;
};

}  // namespace molgauge::allocator
