#pragma once

#include <span>
#include <string>
#include <string_view>

namespace molgauge {

/// Returns the name that the user probably meant by `typed`: the name with the smallest restricted
/// Damerau-Levenshtein distance (insertions, deletions, replacements, and swaps of neighbouring letters). The
/// distance may be at most one for every three letters. Case is ignored. If several names are equally near,
/// returns the first one. If no name is near enough, returns an empty text.
std::string nearest_name(std::string_view typed, std::span<const std::string> names);

/// Returns the end of an error message about `typed`, such as ". Did you mean 'encode'?". Returns an empty
/// text if no name is near enough.
std::string did_you_mean(std::string_view typed, std::span<const std::string> names);

}  // namespace molgauge
