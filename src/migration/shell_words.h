#pragma once

#include <string>
#include <string_view>

namespace headroom::migration {

/// Represents in a word a `$` that is text (quoted, escaped, or of a Python string): a plain `$` begins a
/// substitution of the shell. No word of a shell contains this character.
inline constexpr char kTextDollar = '\0';

/// Whether a character is valid in the name of a variable.
bool is_of_name(char character);

/// Whether a word belongs to the grammar of the shell, so that a command follows it: do, then, !, {.
bool is_shell_keyword(const std::string& word);

/// The end of the substitution ${...}, $(...) or `...` that begins at `place`: behind its last character, or
/// the end of the text where it is not closed. Quotes and nested substitutions are read as a shell does.
std::size_t end_of_substitution(std::string_view text, std::size_t place);

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

/// The text in small letters.
std::string lower(std::string text);

}  // namespace headroom::migration
