#include "serve/server.h"

#include <chrono>
#include <csignal>
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

#include "core/atomic_file.h"
#include "core/error.h"
#include "core/home.h"
#include "core/log.h"
#include "serve/connection.h"

namespace headroom::serve {
namespace {

namespace net = boost::asio;
using net::use_awaitable;
using net::ip::tcp;

constexpr auto kLastAnswers = std::chrono::seconds(10);

std::string token_in(const std::string& file) {
  if (file.empty()) {
    return "";
  }
  std::string token = read_file(file);
  token = token.substr(0, token.find_first_of("\r\n"));
  if (token.size() < 16) {
    throw InputError(file + ": its first line is the token, which has 16 characters at least");
  }
  return token;
}

net::ip::address address_in(const ServeRequest& request) {
  boost::system::error_code problem;
  const auto address =
      net::ip::make_address(request.bind == "localhost" ? "127.0.0.1" : request.bind, problem);
  if (problem) {
    throw UsageError("--bind " + request.bind + ": is no address, such as 127.0.0.1 or 0.0.0.0");
  }
  if (!address.is_loopback() && request.token_file.empty()) {
    throw UsageError("--bind " + request.bind +
                     ": others could reach the server there; give it a token with --token-file FILE");
  }
  return address;
}

tcp::acceptor listen(net::io_context& context, const tcp::endpoint& endpoint) {
  try {
    return {context, endpoint, /*reuse_addr=*/true};
  } catch (const boost::system::system_error& problem) {
    throw Error(fmt::format("{}:{}: cannot listen: {}; name another port with --port",
                            endpoint.address().to_string(), endpoint.port(), problem.code().message()));
  }
}

class Listener {
 public:
  Listener(net::io_context& context, tcp::acceptor acceptor, Site& site, std::size_t most)
      : context_(context), acceptor_(std::move(acceptor)), site_(site), most_(most) {}

  net::awaitable<void> accept() {
    while (acceptor_.is_open()) {
      boost::system::error_code problem;
      tcp::socket socket = co_await acceptor_.async_accept(net::redirect_error(use_awaitable, problem));
      if (problem) {
        if (problem == net::error::operation_aborted) {
          co_return;
        }
        // Out of descriptors: the connections that end make room.
        net::steady_timer pause(context_, std::chrono::milliseconds(100));
        co_await pause.async_wait(net::redirect_error(use_awaitable, problem));
        continue;
      }
      if (open_ >= most_) {
        refuse(std::move(socket));
        continue;
      }
      ++open_;
      net::co_spawn(context_, serve_connection(std::move(socket), site_),
                    [this](const std::exception_ptr& failure) {
                      --open_;
                      if (failure) {
                        try {
                          std::rethrow_exception(failure);
                        } catch (const std::exception& error) {
                          log_error("a connection ended by an error: {}", error.what());
                        }
                      }
                    });
    }
  }

  void close() {
    boost::system::error_code ignored;
    acceptor_.close(ignored);
  }
  std::size_t open() const { return open_; }

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
  std::size_t most_, open_ = 0;
};

}  // namespace

void serve(Engine& engine, Session& session, ServeRequest request,
           const std::function<void(const std::string& address)>& listening) {
  if (request.work.empty()) {
    request.work = (home_folder() / "serve").string();
  }
  const net::ip::address address = address_in(request);
  const Guards guards(request.bind, request.hosts, token_in(request.token_file));
  net::io_context context(1);
  tcp::acceptor acceptor = listen(context, {address, static_cast<unsigned short>(request.port)});
  const tcp::endpoint endpoint = acceptor.local_endpoint();
  Api api(engine, session, request);
  Site site{api, guards};
  Listener listener(context, std::move(acceptor), site, request.most_connections);

  // What runs comes to its end while the connections are still served with it.
  std::thread closing;
  net::steady_timer last_answers(context);
  net::signal_set signals(context, SIGINT, SIGTERM);
  signals.async_wait([&](const boost::system::error_code& problem, int) {
    if (problem) {
      return;
    }
    log_info("no request is taken any more; what is being computed comes to its end");
    site.is_closing = true;
    listener.close();
    closing = std::thread([&] {
      api.close();
      net::post(context, [&] {
        last_answers.expires_after(kLastAnswers);
        last_answers.async_wait([&](const boost::system::error_code&) { context.stop(); });
      });
    });
  });
  net::co_spawn(context, listener.accept(), net::detached);
  listening(fmt::format("http://{}:{}/",
                        address.is_v6() ? '[' + address.to_string() + ']' : address.to_string(),
                        endpoint.port()));
  while (!context.stopped()) {
    context.run_one();
    if (site.is_closing && listener.open() == 0 && closing.joinable()) {
      break;
    }
  }
  if (closing.joinable()) {
    closing.join();
  }
}

}  // namespace headroom::serve
