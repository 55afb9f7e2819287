#pragma once

#include <string>
#include <string_view>

namespace molgauge::experiment {

// toml++ 3.3 crashes on some letters beyond ASCII at places where it expects white space: outside of quotes
// and comments, and after a backslash at the end of a line. Valid TOML has no letters beyond ASCII at these
// places. A text is therefore first parsed with these letters replaced. If it is valid, its quotes are
// closed, and refuse_unquoted_letters() can tell which letters are inside quotes.

/// Replaces every byte beyond ASCII by two ASCII letters that are not an escape sequence. Line numbers stay
/// the same.
std::string with_ascii_letters(std::string_view text);

/// Throws InputError with file and line if toml++ would crash on a letter. `text` must be valid TOML after
/// its letters are replaced by ASCII.
void refuse_unquoted_letters(std::string_view text, const std::string& file);

}  // namespace molgauge::experiment
