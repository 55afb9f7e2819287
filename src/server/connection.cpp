#include "server/connection.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include <boost/asio/async_result.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

#include "base/core/session/log.h"
#include "molgauge/error.h"
#include "server/request_head.h"

namespace molgauge::serve {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace net = boost::asio;
using net::use_awaitable;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kPatience{10};
constexpr std::chrono::seconds kIdle{60};
constexpr std::uint64_t kBytesASecond = 32 * 1024;
/// The most bytes that are read from a client after its request was refused.
constexpr std::uint64_t kMostDiscarded = std::uint64_t{256} << 20;
constexpr std::size_t kPiece = std::size_t{64} * 1024;
/// The maximum time that an upload waits for a slot, and the time between two attempts to get one.
constexpr std::chrono::seconds kWaitForSlot{5};
constexpr std::chrono::milliseconds kAskForSlot{50};

/// Returns the deadline of a transfer that began at `begun` and has received `bytes`. The transfer must be
/// faster than the minimum rate, and may pause for kPatience at most.
Clock::time_point latest(Clock::time_point begun, std::uint64_t bytes) {
  return std::min(begun + kPatience + std::chrono::seconds(bytes / kBytesASecond), Clock::now() + kPatience);
}

/// Counts a connection in the metrics during its lifetime.
class Counted {
 public:
  explicit Counted(Metrics& metrics) : metrics_(metrics) { metrics_.connected(1); }
  ~Counted() { metrics_.connected(-1); }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  Metrics& metrics_;
};

/// Returns the address of the client. It is empty for clients on this machine, because they all have the same
/// address.
std::string address_of(const net::ip::tcp::socket& socket) {
  beast::error_code unknown;
  const auto endpoint = socket.remote_endpoint(unknown);
  return unknown || endpoint.address().is_loopback() ? "" : endpoint.address().to_string();
}

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

/// The page may load only its own files. A report is in a sandbox with a separate origin, so it cannot reach
/// any server.
constexpr const char* kPagePolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src "
    "'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
constexpr const char* kReportPolicy =
    "sandbox allow-scripts allow-downloads allow-popups; default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";
constexpr const char* kFormPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors "
    "'none'";

template <typename Fields>
void set_fields(Fields& fields, const Answer& answer, const Request& request, bool keeps_alive) {
  fields.keep_alive(keeps_alive);
  fields.set(http::field::content_type, answer.content_type);
  fields.set("X-Content-Type-Options", "nosniff");
  fields.set("Referrer-Policy", "no-referrer");
  fields.set("Cross-Origin-Resource-Policy", "same-origin");
  if (answer.content_type.starts_with("text/html")) {
    fields.set("Content-Security-Policy", request.path == "/"       ? kPagePolicy
                                          : request.path == "/form" ? kFormPolicy
                                                                    : kReportPolicy);
  } else {
    fields.set("Content-Security-Policy",
               "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox");
  }
  bool has_cache_control = false;
  for (const auto& [name, value] : answer.fields) {
    fields.set(name, value);
    has_cache_control = has_cache_control || name == "Cache-Control";
  }
  if (!has_cache_control) {
    fields.set(http::field::cache_control, "no-store");
  }
}

/// Bytes of the first line and the fields. Beast does not count the bytes that arrive with the first read.
std::size_t bytes_of_head(const http::request_header<>& header) {
  constexpr std::size_t kOfFirstLine = 12, kOfField = 4;  // blanks, version, colons and ends of lines
  std::size_t bytes = header.method_string().size() + header.target().size() + kOfFirstLine;
  for (const auto& field : header) {
    bytes += field.name_string().size() + field.value().size() + kOfField;
  }
  return bytes;
}

class Connection {
 public:
  Connection(net::ip::tcp::socket socket, Site& site)
      : client_(address_of(socket)),
        stream_(std::move(socket)),
        site_(site),
        entry_(site.connections, side()) {
    // Header and body are sent in two writes. Without this option, the second write would wait for an
    // acknowledgement.
    beast::error_code ignored;
    stream_.socket().set_option(net::ip::tcp::no_delay(true), ignored);
  }

  net::awaitable<void> run() {
    bool goes_on = true;
    while (goes_on && !site_.is_closing) {
      entry_.wait_for_client();
      goes_on = co_await one_request();
    }
    beast::error_code ignored;
    stream_.socket().shutdown(net::ip::tcp::socket::shutdown_both, ignored);
  }

 private:
  using HeaderParser = http::request_parser<http::empty_body>;

  /// Closes the socket of this connection when the server ends the connection. Pending reads and writes then
  /// throw.
  ClientSide side() {
    return {.end =
                [this] {
                  beast::error_code ignored;
                  stream_.socket().close(ignored);
                },
            .has_unread =
                [this] {
                  beast::error_code unknown;
                  return stream_.socket().available(unknown) > 0 && !unknown;
                }};
  }

  /// Handles one request. Returns false if the connection must be closed.
  net::awaitable<bool> one_request() {
    HeaderParser parser;
    parser.header_limit(kLargestHead);
    parser.body_limit(std::numeric_limits<std::uint64_t>::max());  // the limit of the route is applied later
    // The connection may be idle until the first byte of a request. After that, the header must arrive within
    // kPatience.
    stream_.expires_after(kIdle);
    if (buffer_.size() == 0) {
      const std::size_t count = co_await stream_.async_read_some(buffer_.prepare(4096), use_awaitable);
      buffer_.commit(count);
    }
    stream_.expires_after(kPatience);
    beast::error_code problem;
    co_await http::async_read_header(stream_, buffer_, parser, net::redirect_error(use_awaitable, problem));
    auto request = std::make_shared<Request>();
    if (problem) {
      if (const auto answer = answer_to(problem)) {
        co_await write(*answer, *request, false);
      }
      co_return false;
    }
    const auto begun = Clock::now();
    const auto& header = parser.get();
    std::optional<Answer> refusal = read_head({.method = view(header.method_string()),
                                               .target = view(header.target()),
                                               .accept = view(header[http::field::accept]),
                                               .content_type = view(header[http::field::content_type]),
                                               .host = view(header[http::field::host]),
                                               .origin = view(header[http::field::origin]),
                                               .fetch_site = view(header["Sec-Fetch-Site"]),
                                               .authorization = view(header[http::field::authorization]),
                                               .hosts = header.count(http::field::host),
                                               .bytes = bytes_of_head(header)},
                                              site_.guards, *request);
    const bool has_body = parser.content_length().value_or(0) > 0 || parser.chunked();
    const auto limit = site_.api.body_limit(request->method, request->path);
    if (!refusal && has_body && !limit) {
      refusal = error_answer(413, "usage", "a request of this kind has no body");
    }
    if (!refusal && limit && !has_body) {
      refusal = error_answer(411, "usage", "the request has no body");
    }
    if (!refusal && limit && parser.content_length().value_or(0) > *limit) {
      refusal = error_answer(
          413, "limit",
          "the body is larger than the " + std::to_string(*limit) + " bytes that this server accepts");
    }
    if (refusal) {
      // The body is not read, so the connection cannot be reused.
      co_await write_counted(*refusal, *request, !has_body && parser.keep_alive(), begun);
      if (has_body) {
        co_await discard_body();
      }
      co_return !has_body && parser.keep_alive();
    }
    const bool keeps_alive = parser.keep_alive() && !site_.is_closing;
    if (limit) {
      if (view(header[http::field::expect]) == "100-continue") {
        co_await write_continue();
      }
      refusal = co_await read_body(parser, *limit, *request);
      if (refusal) {
        co_await write_counted(*refusal, *request, false, begun);
        co_await discard_body();
        co_return false;
      }
    }
    stream_.expires_never();
    entry_.compute();
    const Answer answer = co_await async_answer(request);
    co_await write_counted(answer, *request, keeps_alive, begun);
    co_return keeps_alive;
  }

  static std::optional<Answer> answer_to(const beast::error_code& problem) {
    if (problem == http::error::header_limit) {
      return head_is_too_large();
    }
    if (problem == beast::error::timeout) {
      return error_answer(408, "limit", "the request timed out");
    }
    if (problem.category() == http::make_error_code(http::error::bad_target).category() &&
        problem != http::error::end_of_stream && problem != http::error::partial_message) {
      return error_answer(400, "usage", "this is not an HTTP request: " + problem.message());
    }
    return std::nullopt;
  }

  net::awaitable<void> write_continue() {
    http::response<http::empty_body> response{http::status::continue_, 11};
    co_await http::async_write(stream_, response, use_awaitable);
  }

  net::awaitable<std::optional<Answer>> read_body(HeaderParser& header, std::uint64_t limit,
                                                  Request& request) {
    Clock::time_point begun = Clock::now();
    http::request_parser<http::buffer_body> parser(std::move(header));
    parser.body_limit(limit);
    entry_.wait_for_client();
    std::unique_ptr<UploadSlots::Slot> slot;
    BodyWriter body([this] { return site_.api.jobs().upload_place(); });
    std::string piece(kPiece, '\0');
    const std::uint64_t declared = parser.content_length().value_or(0);
    while (!parser.is_done()) {
      // An upload takes a slot only when its body is too long for memory. Idle uploads therefore do not block
      // others.
      const bool is_long =
          (declared > kMaxInMemory || parser.chunked()) && body.bytes() + kPiece > kMaxInMemory;
      if (is_long && !slot) {
        const Clock::time_point asked = Clock::now();
        slot = co_await wait_for_slot();
        if (!slot) {
          co_return busy_answer();
        }
        begun += Clock::now() - asked;
      }
      parser.get().body().data = piece.data();
      parser.get().body().size = piece.size();
      parser.get().body().more = true;
      beast::error_code problem;
      stream_.expires_at(latest(begun, body.bytes()));
      co_await http::async_read_some(stream_, buffer_, parser, net::redirect_error(use_awaitable, problem));
      if (problem && problem != http::error::need_buffer) {
        co_return answer_to_failed_body(problem, limit);
      }
      if (!append(body, std::string_view(piece).substr(0, piece.size() - parser.get().body().size))) {
        co_return disk_is_full();
      }
      entry_.wait_for_client();
      if (slot) {
        slot->received(body.bytes());
      }
    }
    try {
      request.body = body.finish();
    } catch (const Error& failure) {
      log_warning("a body was not received: {}", failure.what());
      co_return disk_is_full();
    }
    co_return std::nullopt;
  }

  /// Reads and discards the rest of a refused request. If the server closed the connection with unread
  /// bytes, the kernel would reset it, and the client would lose the answer.
  net::awaitable<void> discard_body() {
    beast::error_code problem;
    stream_.socket().shutdown(net::ip::tcp::socket::shutdown_send, problem);
    stream_.expires_after(kPatience);
    std::string piece(kPiece, '\0');
    for (std::uint64_t bytes = 0; !problem && bytes < kMostDiscarded && !site_.is_closing;) {
      entry_.wait_for_client();
      bytes +=
          co_await stream_.async_read_some(net::buffer(piece), net::redirect_error(use_awaitable, problem));
    }
  }

  /// Returns null if no slot became free in time.
  net::awaitable<std::unique_ptr<UploadSlots::Slot>> wait_for_slot() {
    const Clock::time_point begun = Clock::now();
    net::steady_timer pause(stream_.get_executor());
    while (true) {
      auto slot = site_.uploads.take(client_, side());
      if (slot || Clock::now() - begun > kWaitForSlot || !stream_.socket().is_open() || site_.is_closing) {
        co_return slot;
      }
      pause.expires_after(kAskForSlot);
      co_await pause.async_wait(use_awaitable);
    }
  }

  static bool append(BodyWriter& body, std::string_view piece) {
    try {
      body.append(piece);
      return true;
    } catch (const Error& failure) {
      log_warning("a body was not received: {}", failure.what());
      return false;
    }
  }

  static Answer disk_is_full() {
    return error_answer(507, "limit",
                        "the server cannot write the body to its disk, which may be full. Try again later");
  }

  static Answer answer_to_failed_body(const beast::error_code& problem, std::uint64_t limit) {
    if (problem == http::error::body_limit) {
      return error_answer(
          413, "limit",
          "the body is larger than the " + std::to_string(limit) + " bytes that this server accepts");
    }
    if (auto answer = answer_to(problem)) {
      return *answer;
    }
    throw boost::system::system_error(problem);
  }

  /// Passes the request to the API. The answer may come from any thread. Continues in the thread of this
  /// connection.
  net::awaitable<Answer> async_answer(const std::shared_ptr<const Request>& request) {
    const auto executor = stream_.get_executor();
    co_return co_await net::async_initiate<const net::use_awaitable_t<>, void(Answer)>(
        [this, &request, executor](auto handler) {
          const auto shared = std::make_shared<decltype(handler)>(std::move(handler));
          site_.api.handle(request, [shared, executor](Answer answer) {
            net::post(executor,
                      [shared, answer = std::move(answer)]() mutable { (*shared)(std::move(answer)); });
          });
        },
        use_awaitable);
  }

  net::awaitable<void> write_counted(const Answer& answer, const Request& request, bool keeps_alive,
                                     Clock::time_point begun) {
    site_.api.metrics().answered(site_.api.route_of(request.path), answer.status,
                                 std::chrono::duration<double>(Clock::now() - begun).count());
    entry_.wait_for_client();
    co_await write(answer, request, keeps_alive);
  }

  net::awaitable<void> write(const Answer& answer, const Request& request, bool keeps_alive) {
    if (answer.stream != nullptr) {
      co_await write_stream(answer, request, keeps_alive);
    } else if (!answer.file.empty()) {
      co_await write_file(answer, request, keeps_alive);
    } else {
      http::response<http::string_body> response{static_cast<http::status>(answer.status), 11};
      set_fields(response, answer, request, keeps_alive);
      response.body() = request.method == "HEAD" ? "" : answer.body;
      response.prepare_payload();
      if (request.method == "HEAD") {
        response.content_length(answer.body.size());
      }
      const Clock::time_point begun = Clock::now();
      http::response_serializer<http::string_body> serializer(response);
      serializer.limit(kPiece);
      for (std::uint64_t sent = 0; !serializer.is_done();) {
        stream_.expires_at(latest(begun, sent));
        sent += co_await http::async_write_some(stream_, serializer, use_awaitable);
        entry_.wait_for_client();
      }
    }
  }

  net::awaitable<void> write_file(const Answer& answer, const Request& request, bool keeps_alive) {
    beast::file file;
    beast::error_code problem;
    file.open(answer.file.c_str(), beast::file_mode::scan, problem);
    const std::uint64_t bytes = problem ? 0 : file.size(problem);
    if (problem) {
      co_await write(error_answer(500, "internal", "the result cannot be read: " + problem.message()),
                     request, false);
      co_return;
    }
    http::response<http::empty_body> response{static_cast<http::status>(answer.status), 11};
    set_fields(response, answer, request, keeps_alive);
    response.content_length(bytes);
    http::response_serializer<http::empty_body> serializer(response);
    stream_.expires_after(kPatience);
    co_await http::async_write_header(stream_, serializer, use_awaitable);
    const Clock::time_point begun = Clock::now();
    std::string piece(kPiece, '\0');
    for (std::uint64_t sent = 0; sent < bytes;) {
      const std::size_t count =
          file.read(piece.data(), std::min<std::uint64_t>(kPiece, bytes - sent), problem);
      if (problem || count == 0) {
        // The body is shorter than announced. The connection is closed so that the client notices.
        throw boost::system::system_error(
            problem ? problem : net::error::make_error_code(net::error::misc_errors::eof));
      }
      stream_.expires_at(latest(begun, sent));
      co_await net::async_write(stream_, net::buffer(piece.data(), count), use_awaitable);
      entry_.wait_for_client();
      sent += count;
    }
  }

  /// Writes each row as soon as it is available. A row is written as a whole.
  net::awaitable<void> write_stream(const Answer& answer, const Request& request, bool keeps_alive) {
    http::response<http::empty_body> response{http::status::ok, 11};
    set_fields(response, answer, request, keeps_alive);
    response.chunked(true);
    http::response_serializer<http::empty_body> serializer(response);
    stream_.expires_after(kPatience);
    co_await http::async_write_header(stream_, serializer, use_awaitable);
    std::uint64_t sent = 0;
    std::string piece(kPiece, '\0');
    beast::file file;
    while (true) {
      const GrowingFile::State state = answer.stream->state();
      beast::error_code problem;
      if (state.bytes > sent && !file.is_open()) {
        file.open(answer.stream->path().c_str(), beast::file_mode::scan, problem);
      }
      while (state.bytes > sent && !problem) {
        const std::size_t wanted =
            static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), state.bytes - sent));
        const std::size_t count = file.read(piece.data(), wanted, problem);
        if (problem || count == 0) {
          break;
        }
        stream_.expires_after(kPatience);
        co_await net::async_write(stream_, http::make_chunk(net::buffer(piece.data(), count)), use_awaitable);
        entry_.wait_for_client();
        sent += count;
      }
      if (problem) {
        throw boost::system::system_error(problem);
      }
      if (state.is_complete && answer.stream->state().bytes == sent) {
        break;
      }
      stream_.expires_never();
      entry_.compute();
      co_await async_wait(*answer.stream, {sent, false});
      entry_.wait_for_client();
    }
    const auto job = std::static_pointer_cast<const Job>(answer.keeps);
    if (job != nullptr && job->status() != Job::State::done) {
      const std::string failure = job->failure().body;
      co_await net::async_write(stream_, http::make_chunk(net::buffer(failure)), use_awaitable);
    }
    stream_.expires_after(kPatience);
    co_await net::async_write(stream_, http::make_chunk_last(), use_awaitable);
  }

  net::awaitable<void> async_wait(GrowingFile& file, const GrowingFile::State& seen) {
    const auto executor = stream_.get_executor();
    co_await net::async_initiate<const net::use_awaitable_t<>, void()>(
        [&file, seen, executor](auto handler) {
          const auto shared = std::make_shared<decltype(handler)>(std::move(handler));
          file.wait(seen, [shared, executor] { net::post(executor, [shared] { (*shared)(); }); });
        },
        use_awaitable);
  }

  std::string client_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{kLargestHead + 64 * 1024};
  Site& site_;
  OpenConnections::Entry entry_;
};

}  // namespace

net::awaitable<void> serve_connection(net::ip::tcp::socket socket, Site& site) {
  const Counted counted(site.api.metrics());
  try {
    Connection connection(std::move(socket), site);
    co_await connection.run();
  } catch (const boost::system::system_error&) {
    // The client has disconnected, or was too slow.
  }
}

}  // namespace molgauge::serve
