#pragma once

#include <string>
#include <string_view>

namespace headroom::experiment {

/// Throws InputError naming file and line where TOML text has a letter beyond ASCII that is neither in quotes
/// nor in a comment, or quotes that begin in the middle of a word. TOML has neither, and toml++ 3.3 does not
/// survive letters that it meets in an unquoted word (its test for white space reaches what it declares
/// unreachable).
void refuse_unquoted_letters(std::string_view text, const std::string& file);

}  // namespace headroom::experiment
