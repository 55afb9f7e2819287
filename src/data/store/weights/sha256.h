#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace headroom::store {

/// SHA-256 (FIPS 180-4) as 64 lower-case hexadecimal digits.
std::string sha256(std::span<const std::byte> bytes);

/// As sha256(), for a file, read in pieces. Throws InputError when it cannot be read.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace headroom::store
