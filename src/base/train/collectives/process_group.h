#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <string>

#include <ATen/ATen.h>

#include "base/train/collectives/heartbeat_monitor.h"
#include "base/train/collectives/launch.h"

namespace molgauge::train {

/// The processes of one training. All processes must call the same operations in the same order. If another
/// process never joins an operation, the operation throws ProcessLost within seconds. After that, the group
/// cannot be used.
class ProcessGroup {
 public:
  /// Connects all processes. `heartbeat_timeout`: maximum seconds for joining, and maximum seconds without a
  /// heartbeat of a process. Throws Error with the processes that did not join, and Interrupted if the user
  /// asks to stop.
  ProcessGroup(const Launch& launch, double heartbeat_timeout);
  ~ProcessGroup();
  ProcessGroup(const ProcessGroup&) = delete;
  ProcessGroup& operator=(const ProcessGroup&) = delete;

  std::size_t rank() const { return launch_.rank; }
  std::size_t size() const { return launch_.processes; }
  /// Whether this process writes files.
  bool is_first() const { return launch_.rank == 0; }

  /// Broadcasts a contiguous CPU tensor from the process `root`.
  void broadcast(const at::Tensor& tensor, std::size_t root);
  /// Every process passes a text and gets the text of the first process (rank 0).
  std::string text_of_first(std::string text);
  /// Waits until all processes have called meet().
  void meet();

  /// Tells the other processes why this process leaves. Has no effect if another process left before.
  void leave(const std::exception& reason) noexcept;

 private:
  struct Connection;
  [[noreturn]] void fail();

  const Launch launch_;
  std::unique_ptr<Connection> connection_;
};

/// Throws UsageError in every process whose text differs from the text of the first process. `what`: name of
/// the text for the message.
void require_same(ProcessGroup& group, const std::string& text, const std::string& what);

}  // namespace molgauge::train
