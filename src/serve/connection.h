#pragma once

#include <memory>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "serve/api.h"
#include "serve/open_connections.h"
#include "serve/request_policy.h"
#include "serve/upload_slots.h"

namespace headroom::serve {

/// The state that all connections of a server share.
struct Site {
  Api& api;
  const RequestPolicy& guards;
  OpenConnections& connections;
  UploadSlots& uploads;
  std::atomic<bool> is_closing = false;  ///< connections end with their answer
};

/// Serves one connection to its end: one request after the other. A client that is slow is cut off: it has
/// ten seconds for a header. Of a body or an answer it sends or takes 32 KiB a second on average, apart from
/// ten seconds, and something every ten seconds. A body of more than kMaxInMemory bytes needs a slot, for
/// which it waits five seconds at most. Runs on the thread of the
/// connections, which never waits for the engine or for a sync.
boost::asio::awaitable<void> serve_connection(boost::asio::ip::tcp::socket socket, Site& site);

}  // namespace headroom::serve
