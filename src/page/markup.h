#pragma once

#include <string>
#include <string_view>

namespace headroom::page {

/// Text as it may stand in HTML and SVG, in attributes too: & < > " ' become entities, control characters
/// and what is not UTF-8 become U+FFFD. Names in a report come from files that anyone may have written.
std::string escape_markup(std::string_view text);

/// Text as it may stand in a line or a table cell of Markdown: what Markdown or HTML within it would act upon
/// is escaped, line breaks become blanks, other control characters and what is not UTF-8 U+FFFD.
std::string escape_markdown(std::string_view text);

/// `text`, cut after `most` characters (not bytes) with an ellipsis.
std::string shortened(std::string_view text, std::size_t most);

}  // namespace headroom::page
