#pragma once

#include <string>
#include <string_view>

namespace headroom::experiment {

// toml++ 3.3 crashes on some letters beyond ASCII where it looks for white space: outside of quotes and
// comments, and behind the backslash at the end of a line (its test reaches code that it declares
// unreachable). TOML has no such letters outside of quotes. So texts are first parsed with these letters
// replaced, which shows what is in quotes.

/// The text with every byte beyond ASCII replaced by two letters that are no escapes; lines stay.
std::string with_ascii_letters(std::string_view text);

/// Throws InputError naming file and line where toml++ would crash on a letter. `text` is TOML once its
/// letters are ASCII.
void refuse_unquoted_letters(std::string_view text, const std::string& file);

}  // namespace headroom::experiment
