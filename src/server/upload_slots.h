#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <string>

#include "server/client_side.h"

namespace molgauge::serve {

/// Slots for long bodies that are being received. The number of slots is limited. A client on another machine
/// gets at most half of the slots. Clients on this machine, and clients of a proxy on this machine, may take
/// all slots, because they share one address.
///
/// If there is no free slot, a new upload replaces a stalled upload. An upload is stalled if it has been
/// silent for at least 50 ms. The upload with the longest silence is replaced. If no upload is silent, the
/// slowest upload with less than 32 KiB per second counts as stalled. An upload with unread bytes is not
/// stalled. Short bodies need no slot, so uploads cannot block them.
///
/// Not thread safe: connections share one thread.
class UploadSlots {
 public:
  using Clock = std::chrono::steady_clock;

  explicit UploadSlots(std::size_t most) : most_(most) {}

  /// A slot, which is released with the object.
  class Slot {
   public:
    Slot(UploadSlots& slots, std::string client, ClientSide side, Clock::time_point now);
    ~Slot();
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;

    /// Reports progress. `bytes`: received bytes of the body.
    void received(std::uint64_t bytes, Clock::time_point now = Clock::now());

   private:
    friend class UploadSlots;
    bool is_silent(Clock::time_point now) const;
    /// Returns the recent bytes per second, or infinity if the upload is too new for a measurement.
    double rate(Clock::time_point now) const;

    UploadSlots& slots_;
    std::string client_;
    ClientSide side_;
    Clock::time_point heard_;         ///< time of the last received bytes
    Clock::time_point period_began_;  ///< start of the period over which the rate is measured
    std::uint64_t bytes_ = 0, bytes_before_period_ = 0;
    double last_rate_;  ///< rate in the previous period
    bool is_ended_ = false;
    std::list<Slot*>::iterator place_;
  };

  /// Returns a slot, or null if no slot is free and no upload has stalled. `client`: address of the client.
  /// It is empty for a client on this machine. `side`: the connection, which is closed if another upload
  /// replaces this one. `now`: for tests.
  std::unique_ptr<Slot> take(const std::string& client, ClientSide side,
                             Clock::time_point now = Clock::now());

 private:
  /// The stalled upload that is replaced first, or null. `client`: as in take(), or empty for all clients.
  Slot* stalled(const std::string& client, Clock::time_point now) const;
  std::size_t count(const std::string& client) const;

  std::size_t most_;
  std::list<Slot*> slots_;
};

}  // namespace molgauge::serve
