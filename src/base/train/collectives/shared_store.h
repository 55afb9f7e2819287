#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/train/collectives/launch.h"

namespace molgauge::train {

/// Named texts and counters that all processes of a training share. Process 0 stores them in the TCPStore of
/// LibTorch. Thread-safe. Every method throws Error if process 0 cannot be reached. No method waits for
/// another process.
class SharedStore {
 public:
  /// Process 0 starts the store. The other processes connect to it, and retry until `seconds` have passed.
  /// Throws Error if this fails.
  SharedStore(const Launch& launch, double seconds);
  ~SharedStore();
  SharedStore(const SharedStore&) = delete;
  SharedStore& operator=(const SharedStore&) = delete;

  /// Adds to a counter, which begins at 0, and returns its value.
  std::int64_t add(const std::string& name, std::int64_t number);
  bool has(const std::string& name);
  /// Returns a text, which must exist.
  std::string get(const std::string& name);
  /// Sets a text if it is not set yet. Returns the stored text.
  std::string set_once(const std::string& name, const std::string& text);

  struct Handle;
  const Handle& handle() const { return *handle_; }

 private:
  std::unique_ptr<Handle> handle_;
};

}  // namespace molgauge::train
