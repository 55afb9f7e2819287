#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

/// Parses the lines of AMBER files with parameters and residues.
namespace molgauge::pocket {

/// Reads numbers from the beginning of a text, separated by white space. The rest of the text is a remark.
/// Throws InputError with only the reason if the text begins with fewer than `count` numbers. `what`: name of
/// the line for the message.
std::vector<double> leading_numbers(std::string_view text, std::size_t count, const char* what);

/// Removes the first word of a text and returns it. Returns an empty text if there is no word.
std::string take_word(std::string_view& text);

/// Removes the types of a term, such as "CT-OS-P -O2", from the text and returns them. There are `count`
/// names, joined by '-'. Short names are padded with blanks. Throws InputError with only the reason.
template <std::size_t count>
std::array<std::string, count> take_types(std::string_view& text);

/// The words and quoted texts in a line of an OFF library: `"O5'" "OS" 0 1`. Throws InputError with only the
/// reason if a quotation mark is not closed.
std::vector<std::string> library_fields(std::string_view line);

}  // namespace molgauge::pocket
