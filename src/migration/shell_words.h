#pragma once

#include <string>

namespace headroom::migration {

/// Represents in a word a `$` that is text (quoted, escaped, or of a Python string): a plain `$` begins a
/// substitution of the shell. No word of a shell contains this character.
inline constexpr char kTextDollar = '\0';

/// Whether a character is valid in the name of a variable.
bool is_of_name(char character);

/// The character as text: kTextDollar for `$`.
char as_text(char character);

/// A word of ScriptCommand in the form that a shell needs: the substitutions of the shell stay, in double
/// quotes; the rest is text.
std::string shell_word(const std::string& word);

/// As above, for a word that a shell has read already: its variables ("$SEED", "${SEED}") are kept, and
/// everything else is text.
std::string shell_quoted(const std::string& word);

/// A word of ScriptCommand for a remark: in one line, with `$` for kTextDollar.
std::string readable(std::string word);

}  // namespace headroom::migration
