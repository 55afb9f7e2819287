#pragma once

#include <string>
#include <string_view>

namespace headroom {

/// Text from an input, made safe for a terminal or a log. Control characters (C0, DEL, C1), which a terminal
/// would obey, become escapes: "\n", "\t", "\x1b". So do invalid UTF-8 bytes, and the characters that reorder
/// adjacent text (U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069), which become "\u202e". All else is
/// unchanged. Data files keep the original bytes.
std::string printable(std::string_view text);

/// Text of Headroom that may have several lines, such as a table. Line breaks stay. Otherwise as printable().
std::string printable_lines(std::string_view text);

/// A message of Headroom that may have several lines: line breaks stay, and every line but the first is
/// indented, because no part of it must look like a separate message. Otherwise as printable().
std::string printable_message(std::string_view text);

}  // namespace headroom
