#include "serve/guards.h"

#include <algorithm>
#include <cctype>

#include "core/printable.h"

namespace headroom::serve {
namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return lower;
}

/// "example.org:80" without the port; the brackets of an IPv6 address stay.
std::string_view without_port(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  const bool has_port = colon != std::string_view::npos && host.find(']', colon) == std::string_view::npos &&
                        (host.front() == '[' || host.find(':') == colon);
  return has_port ? host.substr(0, colon) : host;
}

bool changes_nothing(std::string_view method) { return method == "GET" || method == "HEAD"; }

/// What a page without a token must be able to load in order to ask for it.
bool is_of_the_page(std::string_view target) { return target == "/" || target.starts_with("/page/"); }

}  // namespace

bool equal_in_constant_time(std::string_view given, std::string_view secret) {
  unsigned char differs = given.size() == secret.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const char wanted = secret.empty() ? '\0' : secret[i % secret.size()];
    differs = static_cast<unsigned char>(differs | (given[i] ^ wanted));
  }
  return differs == 0;
}

Guards::Guards(const std::string& bind, const std::vector<std::string>& hosts, std::string token)
    : hosts_{"localhost", "127.0.0.1", "[::1]"}, token_(std::move(token)) {
  hosts_.push_back(lower_case(bind.find(':') == std::string::npos ? bind : '[' + bind + ']'));
  for (const std::string& host : hosts) {
    hosts_.push_back(lower_case(host));
  }
}

bool Guards::is_own(std::string_view host) const {
  if (host.empty()) {
    return false;
  }
  const std::string name = lower_case(host);
  return std::any_of(hosts_.begin(), hosts_.end(),
                     [&](const std::string& own) { return name == own || without_port(name) == own; });
}

std::optional<Answer> Guards::refusal(const Sender& sender) const {
  if (!is_own(sender.host)) {
    return error_answer(421, "usage",
                        "this server is not called " + printable(sender.host.substr(0, 100)) +
                            "; start it with --host and that name if it is");
  }
  if (!sender.origin.empty() && sender.origin != "null") {
    const std::size_t scheme = sender.origin.find("://");
    if (scheme == std::string_view::npos || !is_own(sender.origin.substr(scheme + 3))) {
      return error_answer(403, "usage", "requests of pages of other sites are not answered");
    }
  }
  if (!changes_nothing(sender.method) &&
      (sender.origin == "null" || sender.fetch_site == "cross-site" || sender.fetch_site == "same-site")) {
    return error_answer(403, "usage", "requests of pages of other sites are not answered");
  }
  constexpr std::string_view kBearer = "Bearer ";
  if (wants_token() && !is_of_the_page(sender.target)) {
    const bool bears = sender.authorization.starts_with(kBearer);
    if (!bears || !equal_in_constant_time(sender.authorization.substr(kBearer.size()), token_)) {
      Answer answer = error_answer(401, "token", "this server wants its token: Authorization: Bearer TOKEN");
      answer.fields.emplace_back("WWW-Authenticate", "Bearer");
      return answer;
    }
  }
  return std::nullopt;
}

}  // namespace headroom::serve
