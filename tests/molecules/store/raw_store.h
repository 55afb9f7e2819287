#pragma once

#include <filesystem>
#include <string>

namespace molgauge::store::test {

// Functions that change the file in ways that the store never would, through LMDB or directly in the file. No
// store may be open on the folder.

/// Puts one pair into a named database and creates it if it is missing. "" is the unnamed database.
void put_raw(const std::filesystem::path& folder, const std::string& database, const std::string& key,
             const std::string& value);

/// Flips one bit of `bytes` in data.mdb. If they occur several times, changes the first occurrence. Returns
/// false if they do not occur.
bool flip_bit_in(const std::filesystem::path& folder, const std::string& bytes);

}  // namespace molgauge::store::test
