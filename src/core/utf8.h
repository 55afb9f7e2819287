#pragma once

#include <cstddef>
#include <string_view>

namespace headroom {

/// Bytes of the well-formed UTF-8 character that begins at `start`, or 0 if none does (RFC 3629).
std::size_t utf8_length(std::string_view text, std::size_t start);

/// The number of characters of a text. An invalid byte counts as one character.
std::size_t utf8_characters(std::string_view text);

/// The longest beginning of a text that consists of whole characters and fits into `most` bytes.
std::string_view utf8_beginning(std::string_view text, std::size_t most);

}  // namespace headroom
