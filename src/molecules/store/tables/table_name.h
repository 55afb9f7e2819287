#pragma once

#include <string>
#include <string_view>

namespace molgauge::store {

/// Whether a word may begin a table's name: 1 to 64 letters, digits, '.', '_' and '-'.
bool can_name_table(std::string_view word);

/// Returns a name such as "minimol-0123456789abcdef". It consists of the word and the first 64 bits of the
/// XXH3-128 hash of `origin`. `origin`: a text with all settings that determine the values of the table.
std::string table_name(std::string_view word, std::string_view origin);

}  // namespace molgauge::store
