#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace molgauge {

/// Returns the number of bytes of the UTF-8 character that begins at `start`. Returns 0 if no well-formed
/// character begins there (RFC 3629).
std::size_t utf8_length(std::string_view text, std::size_t start);

/// Whether the whole text is well-formed.
bool is_utf8(std::string_view text);

/// Converts Latin-1 (ISO 8859-1) to UTF-8.
std::string utf8_of_latin1(std::string_view text);

/// The number of characters of a text. An invalid byte counts as one character.
std::size_t utf8_characters(std::string_view text);

/// Returns the longest prefix of a text that has at most `most` bytes and does not cut a character.
std::string_view utf8_beginning(std::string_view text, std::size_t most);

}  // namespace molgauge
