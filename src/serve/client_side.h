#pragma once

#include <functional>

namespace headroom::serve {

/// The connection to a client, for the rules on connections and uploads.
struct ClientSide {
  /// Closes the connection. Pending reads and writes then fail.
  std::function<void()> end;
  /// Whether bytes of the client have arrived that the server has not read. Such a client is not silent, but
  /// the server is late. Empty: none ever have.
  std::function<bool()> has_unread = {};

  bool is_heard() const { return has_unread && has_unread(); }
};

}  // namespace headroom::serve
