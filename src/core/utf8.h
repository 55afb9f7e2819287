#pragma once

#include <cstddef>
#include <string_view>

namespace headroom {

/// Bytes of the well-formed UTF-8 character that begins at `start`; 0 where there is none (RFC 3629).
std::size_t utf8_length(std::string_view text, std::size_t start);

/// Characters of a text; each byte that belongs to none counts as one.
std::size_t utf8_characters(std::string_view text);

/// The first characters of a text, as many of them as fit into `most` bytes.
std::string_view utf8_beginning(std::string_view text, std::size_t most);

}  // namespace headroom
