#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/exchange.h"

namespace molgauge::serve {

/// The header fields that show the origin of a request.
struct Sender {
  std::string_view method = {}, target = {}, host = {}, origin = {}, fetch_site = {}, authorization = {};
};

/// Refuses requests from pages of other sites, and requests without the token.
///
/// A page can make a browser send requests to any address. A page of another site can therefore post to a
/// server on this machine. If the host name of that site resolves to this machine (DNS rebinding), the page
/// can also read the answers. A page cannot forge Host, Origin or Sec-Fetch-Site.
///
/// An Origin must equal "http://" followed by the field Host of the request. Behind a proxy, the names in
/// `hosts` may also be origins with https. Requests with a Sec-Fetch-Site of another site get only the files
/// of the web page, so that links from other sites can open the page.
class RequestPolicy {
 public:
  /// `hosts`: names in addition to localhost and the address `bind`. A name without a port allows every port.
  /// `token`: empty if the server has none.
  RequestPolicy(const std::string& bind, const std::vector<std::string>& hosts, std::string token);

  /// The refusal, or nothing if the request may pass.
  std::optional<Answer> refusal(const Sender& sender) const;
  bool wants_token() const { return !token_.empty(); }

 private:
  bool is_own(std::string_view host) const;
  bool is_own_origin(std::string_view origin, std::string_view host) const;

  std::vector<std::string> own_;      ///< localhost and addresses, which are used without a proxy
  std::vector<std::string> proxied_;  ///< names that a proxy forwards
  std::string token_;
};

/// Whether two texts are equal. The time depends only on the length of `given`.
bool equal_in_constant_time(std::string_view given, std::string_view secret);

}  // namespace molgauge::serve
