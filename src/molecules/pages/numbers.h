#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace molgauge::report {

/// Parses a number. "nan" and "inf" are also numbers. Throws InputError with file and line for other texts.
double parse_number(const std::string& text, const std::string& file, std::size_t line);
/// Parses a non-negative integer. Throws InputError with file and line for other texts.
std::uint64_t parse_count(const std::string& text, const std::string& file, std::size_t line);

}  // namespace molgauge::report
