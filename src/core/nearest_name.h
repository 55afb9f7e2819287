#pragma once

#include <span>
#include <string>
#include <string_view>

namespace headroom {

/// The name among `names` that `typed` was probably meant to be: the one that the fewest insertions,
/// deletions, replacements and swaps of neighbouring letters make of it (Damerau and Levenshtein's distance,
/// restricted), at most one for every three letters; case counts for nothing. Empty where none is that near.
/// The first of equally near ones.
std::string nearest_name(std::string_view typed, std::span<const std::string> names);

/// "; did you mean 'encode'?", to be put after a message that refuses `typed`; empty where no name is near.
std::string did_you_mean(std::string_view typed, std::span<const std::string> names);

}  // namespace headroom
