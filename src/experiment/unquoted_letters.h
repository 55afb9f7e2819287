#pragma once

#include <string>
#include <string_view>

namespace headroom::experiment {

// toml++ 3.3 does not survive some letters beyond ASCII where it looks for white space: outside of quotes and
// comments, and behind the backslash at the end of a line (its test reaches what it declares unreachable).
// TOML has none outside of quotes. So texts are parsed with other letters in their place first, which says
// what is in quotes.

/// The text with every byte beyond ASCII spelled in two letters that are no escapes; lines stay.
std::string with_ascii_letters(std::string_view text);

/// Throws InputError naming file and line where toml++ would not survive a letter. `text` is TOML once its
/// letters are ASCII.
void refuse_unquoted_letters(std::string_view text, const std::string& file);

}  // namespace headroom::experiment
