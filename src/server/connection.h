#pragma once

#include <memory>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "server/api.h"
#include "server/open_connections.h"
#include "server/request_policy.h"
#include "server/upload_slots.h"

namespace molgauge::serve {

/// The state that all connections of a server share.
struct Site {
  Api& api;
  const RequestPolicy& guards;
  OpenConnections& connections;
  UploadSlots& uploads;
  std::atomic<bool> is_closing = false;  ///< connections close after their next answer
};

/// Serves a connection until it ends, one request after another. Slow clients are disconnected. A client has
/// ten seconds for a header. After the first ten seconds of a transfer, the client must send or receive 32
/// KiB per second on average, and must never pause for more than ten seconds. A body above kMaxInMemory bytes
/// needs a slot, and waits for it five seconds at most. Runs in the thread of the connections, which never
/// waits for the engine or for the disk.
boost::asio::awaitable<void> serve_connection(boost::asio::ip::tcp::socket socket, Site& site);

}  // namespace molgauge::serve
