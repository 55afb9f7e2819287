#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>

namespace headroom::serve {

/// Slots for long bodies that are being received: a number in total, and half of it for one client. A new
/// upload replaces the slowest one that has sent less than 32 KiB a second since it began, at least a second
/// ago. Short bodies need no slot, so uploads never keep them out.
///
/// Not thread safe: connections share one thread.
class UploadSlots {
 public:
  using Clock = std::chrono::steady_clock;

  explicit UploadSlots(std::size_t most) : most_(most) {}

  /// Given back with the object.
  class Slot {
   public:
    Slot(UploadSlots& slots, std::string client, std::function<void()> end);
    ~Slot();
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;

    /// `bytes`: of the body, so far.
    void received(std::uint64_t bytes) { bytes_ = bytes; }

   private:
    friend class UploadSlots;
    /// Bytes a second.
    double rate(Clock::time_point now) const;

    UploadSlots& slots_;
    std::string client_;
    std::function<void()> end_;
    Clock::time_point begun_ = Clock::now();
    std::uint64_t bytes_ = 0;
    bool is_ended_ = false;
    std::list<Slot*>::iterator place_;
  };

  /// `client`: its address. `end` closes the connection if another upload replaces this one. Null if the
  /// client, or all clients together, have as many as they may. `now`: for tests.
  std::unique_ptr<Slot> take(const std::string& client, std::function<void()> end,
                             Clock::time_point now = Clock::now());

 private:
  std::size_t most_;
  std::list<Slot*> slots_;
};

}  // namespace headroom::serve
