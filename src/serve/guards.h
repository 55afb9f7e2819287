#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "serve/exchange.h"

namespace headroom::serve {

/// The fields of a request's header that say where it comes from.
struct Sender {
  std::string_view method = {}, target = {}, host = {}, origin = {}, fetch_site = {}, authorization = {};
};

/// Refuses requests that a page of another site has sent, or that bear no token.
///
/// A browser sends its page's requests to any address. A page elsewhere can therefore post to a server on
/// this machine, and read the answers once its own name leads here (DNS rebinding). It can forge neither Host
/// nor Origin nor Sec-Fetch-Site.
class Guards {
 public:
  /// `hosts`: names beside localhost and the address `bind`, with a port or for every port. `token`: empty:
  /// none is wanted.
  Guards(const std::string& bind, const std::vector<std::string>& hosts, std::string token);

  /// The refusal, or nothing where the request may pass.
  std::optional<Answer> refusal(const Sender& sender) const;
  bool wants_token() const { return !token_.empty(); }

 private:
  bool is_own(std::string_view host) const;

  std::vector<std::string> hosts_;
  std::string token_;
};

/// Whether two texts are equal, in a time that depends on the length of `given` alone.
bool equal_in_constant_time(std::string_view given, std::string_view secret);

}  // namespace headroom::serve
