#pragma once

#include <string>
#include <string_view>

namespace headroom::page {

/// Text made safe for HTML and SVG, in attributes too: & < > " ' become entities, control characters and
/// invalid UTF-8 become U+FFFD. Names in a report come from files, whose content is not trusted.
std::string escape_markup(std::string_view text);

/// Text made safe for a line or a table cell of Markdown: characters with a meaning in Markdown or HTML are
/// escaped, line breaks become blanks, other control characters and invalid UTF-8 become U+FFFD.
std::string escape_markdown(std::string_view text);

/// `text`, cut after `most` characters (not bytes) with an ellipsis.
std::string shortened(std::string_view text, std::size_t most);

}  // namespace headroom::page
