#pragma once

#include <span>
#include <string>
#include <string_view>

namespace headroom {

/// The name among `names` that `typed` was probably meant to be: the one with the fewest insertions,
/// deletions, replacements and swaps of neighbouring letters (Damerau and Levenshtein's distance,
/// restricted), at most one for every three letters; case is ignored. Empty where no name is that near.
/// Among equally near names, the first.
std::string nearest_name(std::string_view typed, std::span<const std::string> names);

/// "; did you mean 'encode'?", to be appended to a message that refuses `typed`; empty where no name is near.
std::string did_you_mean(std::string_view typed, std::span<const std::string> names);

}  // namespace headroom
