#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "serve/request_policy.h"

namespace headroom::serve {

/// The first lines of a request, as they were sent.
struct RequestHead {
  std::string_view method = {}, target = {}, accept = {}, content_type = {};
  std::string_view host = {}, origin = {}, fetch_site = {}, authorization = {};
  std::size_t hosts = 0;  ///< number of Host fields
};

/// Fills in the request without its body. Returns a refusal if the head is malformed or the policy refuses
/// it.
std::optional<Answer> read_head(const RequestHead& head, const RequestPolicy& guards, Request& request);

}  // namespace headroom::serve
