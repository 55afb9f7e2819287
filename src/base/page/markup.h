#pragma once

#include <string>
#include <string_view>

namespace molgauge::page {

/// Escapes a text for HTML and SVG, including attributes: & < > " ' become entities, and control characters
/// and invalid UTF-8 become U+FFFD. Names in a report come from files with untrusted content.
std::string escape_markup(std::string_view text);

/// Escapes a text for a line or table cell of Markdown. Characters with a meaning in Markdown or HTML are
/// escaped. Line breaks become blanks. Other control characters and invalid UTF-8 become U+FFFD.
std::string escape_markdown(std::string_view text);

/// Cuts `text` after `most` characters (not bytes) and adds an ellipsis.
std::string shortened(std::string_view text, std::size_t most);

}  // namespace molgauge::page
