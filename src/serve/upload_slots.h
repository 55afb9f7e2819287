#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <string>

#include "serve/client_side.h"

namespace headroom::serve {

/// Slots for long bodies that are being received. There is a total, and a client of another machine gets half
/// of it. Clients of this machine share one address, and so do the clients of a proxy here: only the total
/// limits them.
///
/// If there is no free slot, a new upload replaces a stalled one: the upload that has been silent longest,
/// for 50 ms at least, or else the slowest that sends less than 32 KiB a second. An upload with
/// bytes that the server has not read yet has not stalled. Short bodies need no slot, so uploads never keep
/// them out.
///
/// Not thread safe: connections share one thread.
class UploadSlots {
 public:
  using Clock = std::chrono::steady_clock;

  explicit UploadSlots(std::size_t most) : most_(most) {}

  /// Given back with the object.
  class Slot {
   public:
    Slot(UploadSlots& slots, std::string client, ClientSide side, Clock::time_point now);
    ~Slot();
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;

    /// `bytes`: of the body, so far.
    void received(std::uint64_t bytes, Clock::time_point now = Clock::now());

   private:
    friend class UploadSlots;
    bool is_silent(Clock::time_point now) const;
    /// Bytes a second, lately. Infinity while the upload is too new to tell.
    double rate(Clock::time_point now) const;

    UploadSlots& slots_;
    std::string client_;
    ClientSide side_;
    Clock::time_point heard_;         ///< when bytes came last
    Clock::time_point period_began_;  ///< the period over which the rate is measured
    std::uint64_t bytes_ = 0, bytes_before_period_ = 0;
    double last_rate_;  ///< of the period before
    bool is_ended_ = false;
    std::list<Slot*>::iterator place_;
  };

  /// `client`: its address, empty for a client of this machine. `side` is ended if another upload replaces
  /// this one. Null if no slot is free and no upload has stalled. `now`: for tests.
  std::unique_ptr<Slot> take(const std::string& client, ClientSide side,
                             Clock::time_point now = Clock::now());

 private:
  /// The stalled upload that is replaced first, or null. `client`: as in take(), or empty for all clients.
  Slot* stalled(const std::string& client, Clock::time_point now) const;
  std::size_t count(const std::string& client) const;

  std::size_t most_;
  std::list<Slot*> slots_;
};

}  // namespace headroom::serve
