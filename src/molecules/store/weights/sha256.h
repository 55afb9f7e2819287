#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace molgauge::store {

/// Returns the SHA-256 (FIPS 180-4) of the bytes as 64 lower-case hexadecimal digits.
std::string sha256(std::span<const std::byte> bytes);

/// Returns the SHA-256 of a file. Reads it in pieces. Throws InputError if the file cannot be read.
std::string sha256_of_file(const std::filesystem::path& path);
/// Does the same for a regular file. Returns an empty text for a folder, a pipe and a missing file.
std::string sha256_if_file(const std::filesystem::path& path);

}  // namespace molgauge::store
