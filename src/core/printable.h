#pragma once

#include <string>
#include <string_view>

namespace headroom {

/// Text from an input as it may be shown on a terminal or in a log. Control characters (C0, DEL, C1), which a
/// terminal would obey, become escapes: "\n", "\t", "\x1b"; so do bytes that are no UTF-8, and the characters
/// that reorder what stands beside them (U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069), which become
/// "\u202e". All else stays as it is. Files of data keep the bytes.
std::string printable(std::string_view text);

/// Text of ours that may have several lines, such as a table: line breaks stay, all else is as printable()
/// has it.
std::string printable_lines(std::string_view text);

/// A message of ours that may have several lines: line breaks stay, and every line but the first is indented,
/// so that no text within it can pass for a message of its own. All else is as printable() has it.
std::string printable_message(std::string_view text);

}  // namespace headroom
