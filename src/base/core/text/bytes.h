#pragma once

#include <cstdint>
#include <string>

namespace molgauge {

/// Returns a text such as "1.5 GiB", with three figures and binary units.
std::string format_bytes(std::uint64_t bytes);

/// Parses "512MiB", "20 GiB", "1073741824". Throws UsageError on anything else, including decimal units.
std::uint64_t parse_bytes(const std::string& text);

}  // namespace molgauge
