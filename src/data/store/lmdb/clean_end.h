#pragma once

#include <cstdint>
#include <filesystem>

/// A note next to a data file says that its last writer ended cleanly. It names the size, the last
/// transaction and the modification time of the file. While they match, the trees need no check before LMDB
/// follows them (data/store/lmdb/page_check.h).
///
/// Every later change of the file, by another writer, by a copy or by hand, changes its size or its time. Bit
/// errors of the disk change neither. `headroom store verify` finds them.
namespace headroom::store {

/// Whether the file `checked` matches the present data.mdb at this transaction.
bool ended_cleanly(const std::filesystem::path& folder, std::uint64_t transaction);

/// Writes the file `checked`. Sets a unique modification time for data.mdb. It is finer than the file clock
/// of the system, so every later change alters it. If this is not permitted or the disk is full, the trees
/// are checked when the store is opened again.
void note_clean_end(const std::filesystem::path& folder, std::uint64_t transaction) noexcept;

}  // namespace headroom::store
