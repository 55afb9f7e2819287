#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/core/error.h"
#include "base/train/collectives/launch.h"

namespace molgauge::train {

class SharedStore;

/// The process that was the first to leave a training of several processes, and its reason.
struct PeerFailure {
  std::size_t rank = 0;
  /// The error message of the process. Empty if the process sent no message, for example because it was
  /// killed.
  std::string reason;
  bool was_stopped = false;  ///< whether the user stopped the process
};

/// Thrown if another process has left the training.
class ProcessLost : public Error {
 public:
  ProcessLost(PeerFailure departure, std::size_t processes);
  const PeerFailure& departure() const { return departure_; }

 private:
  PeerFailure departure_;
};

/// Detects which processes of a training have left. Each process sends a heartbeat twice a second from a
/// separate thread, and checks the heartbeats of the others.
class HeartbeatMonitor {
 public:
  /// `heartbeat_timeout`: seconds without a heartbeat after which a process counts as lost. Time in which
  /// this process itself was stopped does not count.
  HeartbeatMonitor(std::shared_ptr<SharedStore> store, const Launch& launch, double heartbeat_timeout);
  /// If a process has left, the destructor in process 0 waits at most a few seconds until the other processes
  /// know this. They learn it from the store, which process 0 hosts.
  ~HeartbeatMonitor();
  HeartbeatMonitor(const HeartbeatMonitor&) = delete;
  HeartbeatMonitor& operator=(const HeartbeatMonitor&) = delete;

  /// Waits until all processes have joined. Throws Error with the ranks that did not join within the timeout
  /// or joined twice. Throws ProcessLost if a process leaves in the meantime, and Interrupted if the user
  /// asks to stop.
  void assemble();

  /// Returns the first process that has left, or nothing if no departure is known. Does not wait.
  std::optional<PeerFailure> departed() const;
  /// Waits a few seconds for a report, and returns the first process that has left. Call it if another error
  /// shows that a process failed. If there is no report, returns the process whose last heartbeat is the
  /// oldest, or process 0 if the store does not answer.
  PeerFailure find_departed();
  /// The number of completed checks of all heartbeats. The number increases twice a second while process 0
  /// can be reached.
  std::uint64_t rounds() const;
  /// Reports that process 0 is lost, because it does not answer. Its store is not used again.
  void give_up_on_store();
  /// Tells the other processes that this process leaves. Does nothing if another process has left before.
  void leave(const std::string& reason, bool was_stopped) noexcept;

 private:
  struct State;
  std::shared_ptr<State> state_;  ///< shared with the thread, which may hang in a call to process 0
};

}  // namespace molgauge::train
