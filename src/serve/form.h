#pragma once

#include <string>
#include <string_view>

#include "serve/exchange.h"

namespace headroom::serve {

/// "a=b%20c&d=e+f", of a query or of a form without files. Throws UsageError if a % is not followed by two
/// digits, or a text is not UTF-8.
Query decoded_form(std::string_view text);
/// One text of it. `plus_is_blank`: as in forms; not in paths.
std::string decoded(std::string_view text, bool plus_is_blank);

}  // namespace headroom::serve
