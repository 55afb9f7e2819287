#pragma once

#include <memory>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "serve/api.h"
#include "serve/guards.h"

namespace headroom::serve {

/// What all connections of a server share.
struct Site {
  Api& api;
  const Guards& guards;
  std::atomic<bool> is_closing = false;  ///< connections end with their answer
};

/// Serves one connection to its end: one request after the other. A client that is slow is cut off: it has
/// ten seconds for a header, and for a body or an answer ten seconds and one for each 32 KiB.
boost::asio::awaitable<void> serve_connection(boost::asio::ip::tcp::socket socket, Site& site);

}  // namespace headroom::serve
