#pragma once

#include <string>
#include <string_view>

#include "server/exchange.h"

namespace molgauge::serve {

/// Decodes "a=b%20c&d=e+f" from a query or a form without files. Throws UsageError if a % is not followed by
/// two hexadecimal digits or a text is not UTF-8.
Query decoded_form(std::string_view text);
/// Decodes one text. `plus_is_blank`: true in forms, false in paths.
std::string decoded(std::string_view text, bool plus_is_blank);

}  // namespace molgauge::serve
