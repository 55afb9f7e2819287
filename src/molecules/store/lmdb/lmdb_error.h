#pragma once

#include <filesystem>
#include <string>

namespace molgauge::store {

/// The transaction does not fit in the memory map, which must grow first. Thrown and caught only inside the
/// store.
struct MapFull {};

/// Throws the error of an LMDB return code: Error or InputError naming the folder, the reason and the fix.
/// MDB_MAP_FULL becomes MapFull.
[[noreturn]] void throw_lmdb_error(const std::filesystem::path& folder, const std::string& attempt, int code);

/// Calls throw_lmdb_error(), unless `code` is MDB_SUCCESS.
inline void check_lmdb(const std::filesystem::path& folder, const char* attempt, int code) {
  if (code != 0) {
    throw_lmdb_error(folder, attempt, code);
  }
}

/// Throws InputError for a damaged data.mdb. `finding`: the position and kind of the damage.
[[noreturn]] void throw_damage(const std::filesystem::path& folder, const std::string& finding);

}  // namespace molgauge::store
