#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <string>

#include <ATen/ATen.h>

#include "models/train/collectives/heartbeat_monitor.h"
#include "models/train/collectives/launch.h"

namespace headroom::train {

/// The processes of one training. All processes call the same operations in the same order. If another
/// process never joins an operation, the operation throws ProcessLost within seconds, and no operation
/// follows.
class ProcessGroup {
 public:
  /// Connects all processes. `heartbeat_timeout`: for their coming, and for the silence of one of them, which
  /// then counts as lost. Throws Error naming who did not come, Interrupted when the user asks to stop.
  ProcessGroup(const Launch& launch, double heartbeat_timeout);
  ~ProcessGroup();
  ProcessGroup(const ProcessGroup&) = delete;
  ProcessGroup& operator=(const ProcessGroup&) = delete;

  std::size_t rank() const { return launch_.rank; }
  std::size_t size() const { return launch_.processes; }
  /// The one that writes files.
  bool is_first() const { return launch_.rank == 0; }

  /// Broadcasts a contiguous CPU tensor from the process `root`.
  void broadcast(const at::Tensor& tensor, std::size_t root);
  /// The text of the first process.
  std::string text_of_first(std::string text);
  /// Returns when all processes have called it.
  void meet();

  /// Tells the others why this process leaves. No effect if another process left before.
  void leave(const std::exception& reason) noexcept;

 private:
  struct Connection;
  [[noreturn]] void fail();

  const Launch launch_;
  std::unique_ptr<Connection> connection_;
};

/// Throws UsageError in every process whose text differs from the first process. `what` names the text.
void require_same(ProcessGroup& group, const std::string& text, const std::string& what);

}  // namespace headroom::train
