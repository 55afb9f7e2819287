#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "server/request_policy.h"

namespace molgauge::serve {

/// The first lines of a request, as they were sent.
struct RequestHead {
  std::string_view method = {}, target = {}, accept = {}, content_type = {};
  std::string_view host = {}, origin = {}, fetch_site = {}, authorization = {};
  std::size_t hosts = 0;  ///< number of Host fields
  std::size_t bytes = 0;  ///< bytes of the first line and of all fields
};

/// The most bytes of a head.
inline constexpr std::uint32_t kLargestHead = 16 * 1024;

/// The refusal of a larger head.
Answer head_is_too_large();

/// Fills in the request without its body. Returns a refusal if the head is malformed or too large, or if the
/// policy refuses it.
std::optional<Answer> read_head(const RequestHead& head, const RequestPolicy& guards, Request& request);

}  // namespace molgauge::serve
