#pragma once

#include <string>
#include <string_view>

namespace molgauge {

/// Makes text from an input safe for a terminal or a log. Control characters (C0, DEL, C1) become escapes
/// such as "\n", "\t" and "\x1b", because a terminal would execute them. Invalid UTF-8 bytes become escapes,
/// too, as do the characters that reorder adjacent text (U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069).
/// Other characters are unchanged. Data files keep the original bytes.
std::string printable(std::string_view text);

/// Returns the same as printable() for a text that may have several lines, such as a table. Line breaks stay.
std::string printable_lines(std::string_view text);

/// Does the same as printable_lines() for a message of Molgauge. Also indents every line except the first, so
/// that it does not look like a separate message.
std::string printable_message(std::string_view text);

}  // namespace molgauge
