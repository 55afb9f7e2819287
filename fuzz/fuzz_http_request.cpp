// Parses a request as a connection of the server does, without running the requested work. Parses HTTP and
// the address, applies the guards, and reads the list in the body.

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include "fuzzed.h"
#include "molgauge/error.h"
#include "server/form.h"
#include "server/molecule_lists.h"
#include "server/request_head.h"
#include "server/unpacking.h"

namespace {

namespace http = boost::beast::http;
using namespace molgauge;  // NOLINT(google-build-using-namespace)

constexpr std::uint64_t kMaxBody = std::uint64_t{1} << 20;

std::string_view view(boost::beast::string_view text) { return {text.data(), text.size()}; }

void read_body(const serve::Request& request) {
  try {
    const serve::ListForm form = serve::list_form(request);
    const auto body = serve::unpacked(request.body, {.bytes = kMaxBody, .ratio = 100},
                                      [] { return std::filesystem::temp_directory_path() / "fuzzed-body"; });
    serve::read_list(*body, form, request.parameter("smiles_column", "smiles"),
                     {.max_molecules = 1000, .max_kept = 256}, "body");
    serve::decoded_form(request.body->text());
    request.number("from", 0, 0, 1000);
  } catch (const UsageError&) {
  } catch (const serve::Refused&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::allow_input_errors([&] {
    http::request_parser<http::string_body> parser;
    parser.header_limit(16 * 1024);
    parser.body_limit(kMaxBody);  // otherwise Content-Length would set the memory of the body
    parser.eager(true);
    boost::beast::error_code problem;
    parser.put(boost::asio::buffer(data, size), problem);
    if (!parser.is_header_done()) {
      return;
    }
    const auto& message = parser.get();
    const serve::RequestPolicy guards("127.0.0.1", {"models.example.org"}, "");
    serve::Request request;
    const auto refusal = serve::read_head({.method = view(message.method_string()),
                                           .target = view(message.target()),
                                           .accept = view(message[http::field::accept]),
                                           .content_type = view(message[http::field::content_type]),
                                           .host = view(message[http::field::host]),
                                           .origin = view(message[http::field::origin]),
                                           .fetch_site = view(message["Sec-Fetch-Site"]),
                                           .authorization = view(message[http::field::authorization]),
                                           .hosts = message.count(http::field::host)},
                                          guards, request);
    if (!refusal) {
      request.body = std::make_shared<serve::Body>(message.body());
      read_body(request);
    }
  });
}
