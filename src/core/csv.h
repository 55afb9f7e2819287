#pragma once

#include <string>
#include <string_view>

namespace headroom {

/// A field of a CSV line as RFC 4180 wants it: quoted when it holds a comma, a quote or a line break.
std::string csv_field(std::string_view text);

}  // namespace headroom
