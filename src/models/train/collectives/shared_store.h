#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "models/train/collectives/launch.h"

namespace headroom::train {

/// Texts and counters by name that all processes of a training see: LibTorch's TCPStore, which process 0
/// keeps. May be called from several threads; every method throws Error where process 0 cannot be reached,
/// and none of them waits for another process.
class SharedStore {
 public:
  /// Process 0 listens; the others connect, and try again for so long. Throws Error.
  SharedStore(const Launch& launch, double seconds);
  ~SharedStore();
  SharedStore(const SharedStore&) = delete;
  SharedStore& operator=(const SharedStore&) = delete;

  /// Adds to a counter, which begins at 0, and returns its value.
  std::int64_t add(const std::string& name, std::int64_t number);
  bool has(const std::string& name);
  /// A text that is there.
  std::string get(const std::string& name);
  /// Sets a text that is not there yet; returns the one that is.
  std::string set_once(const std::string& name, const std::string& text);

  struct Handle;
  const Handle& handle() const { return *handle_; }

 private:
  std::unique_ptr<Handle> handle_;
};

}  // namespace headroom::train
