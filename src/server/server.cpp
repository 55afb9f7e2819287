#include "server/server.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <thread>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>
#include <sys/stat.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/home.h"
#include "base/core/session/log.h"
#include "server/connection.h"

namespace molgauge::serve {
namespace {

namespace net = boost::asio;
using net::use_awaitable;
using net::ip::tcp;

constexpr auto kLastAnswers = std::chrono::seconds(10);
/// For each group of this many connections, one connection may receive a long body.
constexpr std::size_t kConnectionsForAnUpload = 8;

std::string token_in(const std::string& file) {
  if (file.empty()) {
    return "";
  }
  std::string token = read_file(file);
  token = token.substr(0, token.find_first_of("\r\n"));
  if (token.size() < 16) {
    throw InputError(file + ": its first line must be the token, with at least 16 characters");
  }
  return token;
}

net::ip::address address_in(const ServeRequest& request) {
  boost::system::error_code problem;
  const auto address =
      net::ip::make_address(request.bind == "localhost" ? "127.0.0.1" : request.bind, problem);
  if (problem) {
    throw UsageError("--bind " + request.bind +
                     ": is not an IP address. Give for example 127.0.0.1 or 0.0.0.0");
  }
  if (!address.is_loopback() && request.token_file.empty()) {
    throw UsageError(
        "--bind " + request.bind +
        ": other machines could reach the server at this address. Give it a token with --token-file FILE");
  }
  return address;
}

/// Refuses addresses such as 0.0.0.0. Users may give such an address because the option --host of other
/// servers is the address to listen on.
void require_host_names(const std::vector<std::string>& hosts) {
  for (const std::string& host : hosts) {
    if (host == "0.0.0.0" || host == "::" || host == "[::]") {
      throw UsageError("--host " + host +
                       ": is not the name of a host. To listen on all addresses, use --bind 0.0.0.0");
    }
  }
}

tcp::acceptor listen(net::io_context& context, const tcp::endpoint& endpoint) {
  try {
    return {context, endpoint, /*reuse_addr=*/true};
  } catch (const boost::system::system_error& problem) {
    throw Error(fmt::format("{}:{}: cannot listen: {}. Name another port with --port",
                            endpoint.address().to_string(), endpoint.port(), problem.code().message()));
  }
}

class Listener {
 public:
  Listener(net::io_context& context, tcp::acceptor acceptor, Site& site)
      : context_(context), acceptor_(std::move(acceptor)), site_(site) {}

  net::awaitable<void> accept() {
    while (acceptor_.is_open()) {
      boost::system::error_code problem;
      tcp::socket socket = co_await acceptor_.async_accept(net::redirect_error(use_awaitable, problem));
      if (problem) {
        if (problem == net::error::operation_aborted) {
          co_return;
        }
        // The process has no file descriptors left. The server waits until other connections end.
        net::steady_timer pause(context_, std::chrono::milliseconds(100));
        co_await pause.async_wait(net::redirect_error(use_awaitable, problem));
        continue;
      }
      bool ended = false;
      if (!site_.connections.make_room(ended)) {
        refuse(std::move(socket));
        continue;
      }
      if (ended) {
        site_.api.metrics().refused_connection();
      }
      net::co_spawn(context_, serve_connection(std::move(socket), site_),
                    [](const std::exception_ptr& failure) {
                      if (failure) {
                        try {
                          std::rethrow_exception(failure);
                        } catch (const std::exception& error) {
                          log_error("a connection ended with an error: {}", error.what());
                        } catch (...) {
                          log_error("a connection ended with an unknown error");
                        }
                      }
                    });
    }
  }

  void close() {
    boost::system::error_code ignored;
    acceptor_.close(ignored);
  }

 private:
  void refuse(tcp::socket socket) {
    static const std::string kBusy =
        "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nConnection: close\r\nContent-Length: "
        "0\r\n\r\n";
    site_.api.metrics().refused_connection();
    boost::system::error_code ignored;
    socket.non_blocking(true, ignored);
    net::write(socket, net::buffer(kBusy), ignored);
  }

  net::io_context& context_;
  tcp::acceptor acceptor_;
  Site& site_;
};

/// Ends the server after the first signal. Runs in the thread of the connections.
class Ending {
 public:
  Ending(net::io_context& context, Site& site, Listener& listener, double patience)
      : context_(context),
        site_(site),
        listener_(listener),
        patience_(patience),
        signals_(context, SIGINT, SIGTERM),
        hurry_(context),
        last_(context) {
    signals_.async_wait([this](const boost::system::error_code& problem, int) {
      if (!problem) {
        begin();
      }
    });
  }
  ~Ending() {
    if (closing_.joinable()) {
      closing_.join();
    }
  }
  Ending(const Ending&) = delete;
  Ending& operator=(const Ending&) = delete;

  bool is_over() const { return is_closed_ && (site_.connections.open() == 0 || is_late_); }

 private:
  void begin() {
    log_info("shutting down: no more requests are accepted, and the running computation is finished first");
    site_.is_closing = true;
    listener_.close();
    signals_.async_wait([](const boost::system::error_code& problem, int signal) {
      if (!problem) {
        log_warning("second signal: the server stops immediately");
        std::_Exit(128 + signal);
      }
    });
    after(hurry_, patience_, [this] {
      site_.api.hurry();
      after(last_, kLastAnswers, [] {
        log_error("the server did not finish in time and stops immediately");
        std::_Exit(1);
      });
    });
    closing_ = std::thread([this] {
      site_.api.close(patience_);
      net::post(context_, [this] {
        is_closed_ = true;
        after(hurry_, kLastAnswers, [this] { is_late_ = true; });
        last_.cancel();
      });
    });
  }

  template <typename Then>
  static void after(net::steady_timer& timer, std::chrono::duration<double> time, Then then) {
    timer.expires_after(std::chrono::duration_cast<net::steady_timer::duration>(time));
    timer.async_wait([then](const boost::system::error_code& problem) {
      if (!problem) {
        then();
      }
    });
  }

  net::io_context& context_;
  Site& site_;
  Listener& listener_;
  std::chrono::duration<double> patience_;
  net::signal_set signals_;
  net::steady_timer hurry_, last_;
  std::thread closing_;
  bool is_closed_ = false, is_late_ = false;
};

}  // namespace

void serve(Engine& engine, Session& session, ServeRequest request,
           const std::function<void(const std::string& address)>& listening) {
  if (request.work.empty()) {
    request.work = (home_folder() / "serve").string();
  }
  ::umask(S_IRWXG | S_IRWXO);
  const net::ip::address address = address_in(request);
  require_host_names(request.hosts);
  const RequestPolicy guards(request.bind, request.hosts, token_in(request.token_file));
  auto context = std::make_unique<net::io_context>(1);
  auto acceptor =
      std::make_unique<tcp::acceptor>(listen(*context, {address, static_cast<unsigned short>(request.port)}));
  const tcp::endpoint endpoint = acceptor->local_endpoint();
  Api api(engine, session, request);
  OpenConnections connections(request.max_connections);
  UploadSlots uploads(std::max<std::size_t>(2, request.max_connections / kConnectionsForAnUpload));
  Site site{api, guards, connections, uploads};
  {
    Listener listener(*context, std::move(*acceptor), site);
    acceptor.reset();
    Ending ending(*context, site, listener, request.shutdown_seconds);
    net::co_spawn(*context, listener.accept(), net::detached);
    listening(fmt::format("http://{}:{}/",
                          address.is_v6() ? '[' + address.to_string() + ']' : address.to_string(),
                          endpoint.port()));
    while (!context->stopped() && !ending.is_over()) {
      context->run_one();
    }
  }
  context.reset();  // ends the remaining connections, which use `site`
}

}  // namespace molgauge::serve
