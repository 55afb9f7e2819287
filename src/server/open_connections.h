#pragma once

#include <chrono>
#include <cstddef>
#include <list>

#include "server/client_side.h"

namespace molgauge::serve {

/// The connections of a server. If the maximum number is reached, a new connection replaces the connection
/// whose client has been silent for the longest time. A client with unread bytes is not silent. Clients that
/// open connections and then do nothing can therefore not block other clients.
///
/// Not thread-safe, because all connections share one thread.
class OpenConnections {
 public:
  using Clock = std::chrono::steady_clock;

  explicit OpenConnections(std::size_t most) : most_(most) {}

  /// A connection, from its beginning to its end.
  class Entry {
   public:
    /// The functions of `side` must be callable while the entry exists. The entry must exist until the
    /// connection has ended.
    Entry(OpenConnections& connections, ClientSide side);
    ~Entry();
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

    /// Call it when the client has sent or received something, and when the server begins to wait for the
    /// client. `now`: for tests.
    void wait_for_client(Clock::time_point now = Clock::now());
    /// Call it when the client waits for the server. The connection is then not closed.
    void compute() { is_computing_ = true; }

   private:
    friend class OpenConnections;
    OpenConnections& connections_;
    std::list<Entry*>::iterator place_;
    ClientSide side_;
    bool is_computing_ = false;
    Clock::time_point since_ = Clock::now();  ///< last time the client was active
    bool is_ended_ = false;
  };

  std::size_t open() const { return entries_.size(); }
  /// Returns whether a new connection is possible. If the maximum number of connections is open, ends one of
  /// them to make room. `ended`: set to true if a connection was ended.
  bool make_room(bool& ended);

 private:
  std::size_t most_;
  std::list<Entry*> entries_;  ///< in the order in which they began
};

}  // namespace molgauge::serve
