#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <list>

namespace headroom::serve {

/// The connections of a server. If there are as many as may be, a new one takes the place of the one that has
/// waited longest for its client: clients that open connections and send nothing keep nobody out.
///
/// Not thread safe: connections share one thread.
class OpenConnections {
 public:
  using Clock = std::chrono::steady_clock;
  /// In the order in which connections are ended; a computation is never ended.
  enum class Phase { idle, upload, answer, computation };

  explicit OpenConnections(std::size_t most) : most_(most) {}

  /// A connection, from its beginning to its end.
  class Entry {
   public:
    /// `end` closes the connection; the object is destroyed later.
    Entry(OpenConnections& connections, std::function<void()> end);
    ~Entry();
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

    void enter(Phase phase);

   private:
    friend class OpenConnections;
    OpenConnections& connections_;
    std::list<Entry*>::iterator place_;
    std::function<void()> end_;
    Phase phase_ = Phase::idle;
    Clock::time_point since_ = Clock::now();
    bool is_ended_ = false;
  };

  std::size_t open() const { return entries_.size(); }
  /// Whether there is room for another connection. Ends one if that makes room; `ended` says so.
  bool make_room(bool& ended);

 private:
  std::size_t most_;
  std::list<Entry*> entries_;  ///< the oldest first
};

}  // namespace headroom::serve
