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

/// Which processes of a training are still there. Each process sends a heartbeat twice a second from a
/// separate thread, and checks the heartbeats of the others.
class HeartbeatMonitor {
 public:
  /// `heartbeat_timeout`: silence after which a process counts as lost. Time in which this process was
  /// stopped does not count.
  HeartbeatMonitor(std::shared_ptr<SharedStore> store, const Launch& launch, double heartbeat_timeout);
  /// Process 0 hosts the store. It stays a few seconds at most, until the others know which process has left.
  ~HeartbeatMonitor();
  HeartbeatMonitor(const HeartbeatMonitor&) = delete;
  HeartbeatMonitor& operator=(const HeartbeatMonitor&) = delete;

  /// Waits for the first sign of all. Throws Error with the ranks that did not join in time or joined twice,
  /// and Interrupted if the user asks to stop.
  void assemble();

  /// The process that has left first, as far as that is known now. Does not wait.
  std::optional<PeerFailure> departed() const;
  /// The same if another error has shown that a process failed. Waits a few seconds to find the process.
  PeerFailure find_departed();
  /// Counts the checks of the other processes. The number rises twice a second while process 0 can be
  /// reached.
  std::uint64_t rounds() const;
  /// Process 0 has sent no heartbeat for too long. Its store is not used again.
  void give_up_on_store();
  /// This process leaves. Says nothing where another one has left before.
  void leave(const std::string& reason, bool was_stopped) noexcept;

 private:
  struct State;
  std::shared_ptr<State> state_;  ///< shared with the thread, which may hang in a call to process 0
};

}  // namespace headroom::train
