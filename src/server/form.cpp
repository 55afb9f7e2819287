#include "server/form.h"

#include <charconv>

#include "base/core/error.h"
#include "base/core/text/utf8.h"

namespace molgauge::serve {

std::string decoded(std::string_view text, bool plus_is_blank) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus_is_blank) {
      plain += ' ';
    } else if (text[i] == '%') {
      unsigned code = 0;
      const std::string_view digits = text.substr(i + 1, 2);
      const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
      if (digits.size() != 2 || problem != std::errc() || end != digits.data() + 2) {
        throw UsageError("the address has a % without two digits after it");
      }
      plain += static_cast<char>(code);
      i += 2;
    } else {
      plain += text[i];
    }
  }
  for (std::size_t at = 0; at < plain.size();) {
    const std::size_t length = utf8_length(plain, at);
    if (length == 0) {
      throw UsageError("the address or form is not UTF-8");
    }
    at += length;
  }
  return plain;
}

Query decoded_form(std::string_view text) {
  Query query;
  while (!text.empty()) {
    const std::size_t end = text.find('&');
    const std::string_view pair = text.substr(0, end);
    const std::size_t equals = pair.find('=');
    if (!pair.empty()) {
      query[decoded(pair.substr(0, equals), true)] =
          equals == std::string_view::npos ? "" : decoded(pair.substr(equals + 1), true);
    }
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return query;
}

}  // namespace molgauge::serve
