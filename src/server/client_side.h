#pragma once

#include <functional>

namespace molgauge::serve {

/// The functions through which OpenConnections and UploadSlots access the connection of a client, to enforce
/// their limits.
struct ClientSide {
  /// Closes the connection. Pending reads and writes then fail.
  std::function<void()> end;
  /// Returns whether bytes from the client have arrived that the server has not read yet. If so, the client
  /// does not count as silent, because it waits for the server. If this function is empty, there are no
  /// unread bytes.
  std::function<bool()> has_unread = {};

  bool is_heard() const { return has_unread && has_unread(); }
};

}  // namespace molgauge::serve
