#include "server/request_head.h"

#include <array>

#include "molgauge/error.h"
#include "server/form.h"

namespace molgauge::serve {
namespace {

constexpr std::array<std::string_view, 4> kMethods{"GET", "HEAD", "POST", "DELETE"};

}  // namespace

Answer head_is_too_large() { return error_answer(431, "limit", "the header is larger than 16 KiB"); }

std::optional<Answer> read_head(const RequestHead& head, const RequestPolicy& guards, Request& request) {
  if (head.bytes > kLargestHead) {
    return head_is_too_large();
  }
  request.method = head.method;
  request.accept = head.accept;
  request.content_type = head.content_type;
  try {
    const std::size_t question = head.target.find('?');
    request.path = decoded(head.target.substr(0, question), /*plus_is_blank=*/false);
    if (question != std::string_view::npos) {
      request.query = decoded_form(head.target.substr(question + 1));
    }
  } catch (const UsageError& problem) {
    return error_answer(400, "usage", problem.what());
  }
  if (head.hosts != 1) {
    return error_answer(400, "usage", "a request must name exactly one host");
  }
  for (const std::string_view method : kMethods) {
    if (head.method == method) {
      return guards.refusal({.method = head.method,
                             .target = request.path,
                             .host = head.host,
                             .origin = head.origin,
                             .fetch_site = head.fetch_site,
                             .authorization = head.authorization});
    }
  }
  return error_answer(405, "usage", "this server accepts GET, HEAD, POST and DELETE");
}

}  // namespace molgauge::serve
