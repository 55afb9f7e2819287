#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace headroom::report {

/// Reads a whole text as a number ("nan", "inf" included). Throws InputError naming file and line.
double parse_number(const std::string& text, const std::string& file, std::size_t line);
/// As parse_number(), for a whole number that is not negative.
std::uint64_t parse_count(const std::string& text, const std::string& file, std::size_t line);

}  // namespace headroom::report
