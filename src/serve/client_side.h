#pragma once

#include <functional>

namespace headroom::serve {

/// The connection to a client, as the rules for connections and uploads see it.
struct ClientSide {
  /// Closes the connection. Pending reads and writes then fail.
  std::function<void()> end;
  /// Whether bytes of the client have arrived that the server has not read yet. The client is then not
  /// silent, because the server is late. Empty: there are never such bytes.
  std::function<bool()> has_unread = {};

  bool is_heard() const { return has_unread && has_unread(); }
};

}  // namespace headroom::serve
