#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

/// The fields of a line of AMBER's files of parameters and of residues.
namespace headroom::pocket {

/// Reads numbers from the beginning of a text, separated by white space. The rest of the text is a remark.
/// Throws InputError with only the reason if there are fewer numbers. `what` names the line.
std::vector<double> leading_numbers(std::string_view text, std::size_t count, const char* what);

/// Removes the first word of a text and returns it. Empty if there is no word.
std::string take_word(std::string_view& text);

/// The types of a term, "CT-OS-P -O2": `count` names of one or more characters, joined by '-', blanks behind
/// a name filling its column. They are taken off the text. Throws InputError with the reason alone.
template <std::size_t count>
std::array<std::string, count> take_types(std::string_view& text);

/// Words and quoted texts of a line of an OFF library: `"O5'" "OS" 0 1`. Throws InputError with the reason
/// alone where a quotation mark is not closed.
std::vector<std::string> library_fields(std::string_view line);

}  // namespace headroom::pocket
