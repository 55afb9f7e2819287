#pragma once

#include <functional>

namespace headroom::serve {

/// The functions of a connection that the limits for connections and uploads need.
struct ClientSide {
  /// Closes the connection. Pending reads and writes then fail.
  std::function<void()> end;
  /// Returns whether bytes of the client have arrived that the server has not read yet. If so, the client is
  /// not silent, and the server is late. If this function is not set, there are no unread bytes.
  std::function<bool()> has_unread = {};

  bool is_heard() const { return has_unread && has_unread(); }
};

}  // namespace headroom::serve
