#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "base/core/error.h"
#include "base/core/hash.h"

/// Checks that the files that a call reads more than once do not change during the call.
///
/// Verbs read a file of molecules several times and match the passes by the position of the records. If
/// another program replaces the file between two passes, results would belong to other molecules. The first
/// complete pass over a watched file keeps a hash of its bytes. Every later complete pass must have the same
/// hash.
namespace molgauge {

/// While an object exists, files can be watched. One call at a time has such an object. The destructor
/// forgets all files. Objects can be nested. Only the outermost one forgets the files.
class WatchedInputs {
 public:
  WatchedInputs();
  ~WatchedInputs();
  WatchedInputs(const WatchedInputs&) = delete;
  WatchedInputs& operator=(const WatchedInputs&) = delete;
};

/// Watches a file until the call ends. Has no effect outside of a call.
void watch_input(const std::string& path);

/// One pass over a watched file, from its first byte.
class WatchedPass {
 public:
  /// Returns null if the file is not watched.
  static std::unique_ptr<WatchedPass> begin(const std::string& path);

  void append(std::span<const char> bytes);
  /// Call it at the end of the file. Throws ChangedInput, without the name of the file, if an earlier pass
  /// read other bytes.
  void end();

 private:
  explicit WatchedPass(std::string path) : path_(std::move(path)) {}

  std::string path_;
  GrowingHash128 hash_;
};

/// A file changed while a call was reading it. The whole call fails, even if it skips other invalid input.
class ChangedInput : public InputError {
 public:
  using InputError::InputError;
};

/// Throws ChangedInput: a file changed while a call was reading it. `change`: for example "the number of
/// records".
[[noreturn]] void refuse_changed(const std::string& file, const std::string& change);

}  // namespace molgauge
