#pragma once

#include <cstddef>
#include <filesystem>

namespace molgauge::store {

/// Returns the address at which this process has mapped the start of `file`, or nullptr if the system does
/// not report it. LMDB does not provide the address: it is null in MDB_envinfo unless a fixed address was
/// requested.
std::byte* find_map(const std::filesystem::path& file);

}  // namespace molgauge::store
