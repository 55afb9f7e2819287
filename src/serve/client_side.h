#pragma once

#include <functional>

namespace headroom::serve {

/// Functions of a connection. OpenConnections and UploadSlots call them to enforce their limits.
struct ClientSide {
  /// Closes the connection. Pending reads and writes then fail.
  std::function<void()> end;
  /// Returns whether the server has received bytes of the client that it has not read yet. If so, the client
  /// does not count as silent, because the server is late. If this function is not set, there are no unread
  /// bytes.
  std::function<bool()> has_unread = {};

  bool is_heard() const { return has_unread && has_unread(); }
};

}  // namespace headroom::serve
