#pragma once

#include <chrono>
#include <cstddef>
#include <list>

#include "serve/client_side.h"

namespace headroom::serve {

/// The connections of a server. If there are as many as may be, a new one replaces the one whose client has
/// been silent longest, unless bytes of it wait to be read: clients that open connections and send nothing,
/// or read nothing, keep nobody out.
///
/// Not thread safe: connections share one thread.
class OpenConnections {
 public:
  using Clock = std::chrono::steady_clock;

  explicit OpenConnections(std::size_t most) : most_(most) {}

  /// A connection, from its beginning to its end.
  class Entry {
   public:
    /// The object lives longer than the end of `side`.
    Entry(OpenConnections& connections, ClientSide side);
    ~Entry();
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

    /// The client has sent or taken something, or its turn to do so begins. `now`: for tests.
    void wait_for_client(Clock::time_point now = Clock::now());
    /// The client waits for the server. Such a connection is never ended.
    void compute() { is_computing_ = true; }

   private:
    friend class OpenConnections;
    OpenConnections& connections_;
    std::list<Entry*>::iterator place_;
    ClientSide side_;
    bool is_computing_ = false;
    Clock::time_point since_ = Clock::now();  ///< when the client was heard last
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
