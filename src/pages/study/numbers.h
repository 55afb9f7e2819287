#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace headroom::report {

/// Parses a text as a number, including "nan" and "inf". Throws InputError with file and line.
double parse_number(const std::string& text, const std::string& file, std::size_t line);
/// Like parse_number(), for a non-negative integer.
std::uint64_t parse_count(const std::string& text, const std::string& file, std::size_t line);

}  // namespace headroom::report
