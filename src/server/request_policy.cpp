#include "server/request_policy.h"

#include <algorithm>
#include <cctype>

#include "base/core/text/printable.h"

namespace molgauge::serve {
namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return lower;
}

/// Removes the port from "example.org:80". Keeps the brackets of an IPv6 address.
std::string_view without_port(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  const bool has_port = colon != std::string_view::npos && host.find(']', colon) == std::string_view::npos &&
                        (host.front() == '[' || host.find(':') == colon);
  return has_port ? host.substr(0, colon) : host;
}

/// The host and port of an origin without the default port of its scheme: "example.org" for
/// "https://example.org:443".
std::string normal_authority(std::string_view scheme, std::string_view authority) {
  std::string name = lower_case(authority);
  const std::string_view port = scheme == "https" ? ":443" : ":80";
  if (name.ends_with(port) && without_port(name).size() + port.size() == name.size()) {
    name.resize(name.size() - port.size());
  }
  return name;
}

bool is_among(const std::vector<std::string>& names, std::string_view host) {
  const std::string name = lower_case(host);
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& own) { return name == own || without_port(name) == own; });
}

Answer other_site() { return error_answer(403, "usage", "requests from pages of other sites are refused"); }

/// Whether a client without a token may load the target. The page must load in order to ask for the token.
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

RequestPolicy::RequestPolicy(const std::string& bind, const std::vector<std::string>& hosts,
                             std::string token)
    : own_{"localhost", "127.0.0.1", "[::1]"}, token_(std::move(token)) {
  own_.push_back(lower_case(bind.find(':') == std::string::npos ? bind : '[' + bind + ']'));
  for (const std::string& host : hosts) {
    proxied_.push_back(lower_case(host));
  }
}

bool RequestPolicy::is_own(std::string_view host) const {
  return !host.empty() && (is_among(own_, host) || is_among(proxied_, host));
}

bool RequestPolicy::is_own_origin(std::string_view origin, std::string_view host) const {
  const std::size_t end = origin.find("://");
  if (end == std::string_view::npos) {
    return false;
  }
  const std::string scheme = lower_case(origin.substr(0, end));
  const std::string authority = normal_authority(scheme, origin.substr(end + 3));
  if (scheme == "http") {
    return authority == normal_authority(scheme, host);
  }
  // A proxy terminates TLS. It may pass on the host name with or without a port.
  return scheme == "https" && is_among(proxied_, authority) &&
         (authority == normal_authority(scheme, host) ||
          std::find(proxied_.begin(), proxied_.end(), authority) != proxied_.end());
}

std::optional<Answer> RequestPolicy::refusal(const Sender& sender) const {
  if (!is_own(sender.host)) {
    return error_answer(421, "usage",
                        "this server does not have the name " + printable(sender.host.substr(0, 100)) +
                            ". Only its operator can add the name");
  }
  if (!sender.origin.empty() && !is_own_origin(sender.origin, sender.host)) {
    return other_site();
  }
  const bool is_of_another_site = sender.fetch_site == "cross-site" || sender.fetch_site == "same-site";
  const bool opens_the_page =
      (sender.method == "GET" || sender.method == "HEAD") && is_of_the_page(sender.target);
  if (is_of_another_site && !opens_the_page) {
    return other_site();
  }
  constexpr std::string_view kBearer = "Bearer ";
  if (wants_token() && !is_of_the_page(sender.target)) {
    const bool bears = sender.authorization.starts_with(kBearer);
    if (!bears || !equal_in_constant_time(sender.authorization.substr(kBearer.size()), token_)) {
      Answer answer = error_answer(401, "token", "this server needs its token: Authorization: Bearer TOKEN");
      answer.fields.emplace_back("WWW-Authenticate", "Bearer");
      return answer;
    }
  }
  return std::nullopt;
}

}  // namespace molgauge::serve
