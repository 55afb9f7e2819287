#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "models/train/collectives/launch.h"

namespace headroom::train {

class SharedStore;

/// Why a training of several processes cannot go on: the process that was the first to leave.
struct PeerFailure {
  std::size_t rank = 0;
  std::string reason;        ///< as it gave it; empty: it left without a word
  bool was_stopped = false;  ///< the user has asked it to stop
};

/// Another process has left the training.
class ProcessLost : public Error {
 public:
  ProcessLost(PeerFailure departure, std::size_t processes);
  const PeerFailure& departure() const { return departure_; }

 private:
  PeerFailure departure_;
};

/// Which processes of a training are still there. Each gives a sign of life twice a second, from a thread of
/// its own, and looks for those of the others.
class HeartbeatMonitor {
 public:
  /// `heartbeat_timeout`: silence after which a process counts as lost. Time in which this process was
  /// stopped does not count.
  HeartbeatMonitor(std::shared_ptr<SharedStore> store, const Launch& launch, double heartbeat_timeout);
  /// Process 0, which keeps the store, stays until the others know who has left, a few seconds at most.
  ~HeartbeatMonitor();
  HeartbeatMonitor(const HeartbeatMonitor&) = delete;
  HeartbeatMonitor& operator=(const HeartbeatMonitor&) = delete;

  /// Waits for the first sign of all. Throws Error naming those that did not come in time, and those that
  /// came twice; Interrupted when the user asks to stop.
  void assemble();

  /// The process that has left first, as far as that is known now. Does not wait.
  std::optional<PeerFailure> departed() const;
  /// The same where something else has shown that a process is gone; waits a few seconds to find out which.
  PeerFailure find_departed();
  /// How often this process has heard of the others; the number rises twice a second as long as process 0 can
  /// be reached.
  std::uint64_t rounds() const;
  /// Process 0 has been silent for too long; its store is not used again.
  void give_up_on_store();
  /// This process leaves. Says nothing where another one has left before.
  void leave(const std::string& reason, bool was_stopped) noexcept;

 private:
  struct State;
  std::shared_ptr<State> state_;  ///< shared with the thread, which may hang in a call to process 0
};

}  // namespace headroom::train
