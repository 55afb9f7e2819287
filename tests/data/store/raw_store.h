#pragma once

#include <filesystem>
#include <string>

namespace headroom::store::test {

// What the store itself would never do, straight through LMDB or the file. No store may be open on the
// folder.

/// Puts one pair into a named database, which is made where it is missing; into the unnamed one for "".
void put_raw(const std::filesystem::path& folder, const std::string& database, const std::string& key,
             const std::string& value);

/// Turns one bit of the only (else the first) place in data.mdb where `bytes` stand; false if there is none.
bool flip_bit_in(const std::filesystem::path& folder, const std::string& bytes);

}  // namespace headroom::store::test
