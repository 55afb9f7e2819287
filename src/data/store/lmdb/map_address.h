#pragma once

#include <cstddef>
#include <filesystem>

namespace headroom::store {

/// Where this process has `file` in its memory, from the file's start on. LMDB does not tell: the address in
/// its MDB_envinfo is null unless it was asked for a fixed one. nullptr when the system does not tell either.
std::byte* find_map(const std::filesystem::path& file);

}  // namespace headroom::store
