#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace headroom::report {

/// Parses a number, which may be "nan" or "inf". Throws InputError with file and line for other texts.
double parse_number(const std::string& text, const std::string& file, std::size_t line);
/// Like parse_number(), for a non-negative integer.
std::uint64_t parse_count(const std::string& text, const std::string& file, std::size_t line);

}  // namespace headroom::report
