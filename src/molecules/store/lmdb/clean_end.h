#pragma once

#include <cstdint>
#include <filesystem>

/// A note next to a data file says that its last writer ended cleanly. The note contains the size, the last
/// transaction and the modification time of the file. While these values match the file, the trees need no
/// check before LMDB uses them (molecules/store/lmdb/page_check.h).
///
/// Every later change of the file, by another writer, by a copy or by hand, changes its size or its time. Bit
/// errors of the disk do not change them. `molgauge store verify` finds bit errors.
namespace molgauge::store {

/// Whether the note (the file `checked`) matches the present data.mdb with this last transaction.
bool ended_cleanly(const std::filesystem::path& folder, std::uint64_t transaction);

/// Writes the file `checked`. Also sets a unique modification time for data.mdb. The time is finer than the
/// file clock of the system, so every later change alters it. If writing fails, the trees are checked when
/// the store is opened again.
void note_clean_end(const std::filesystem::path& folder, std::uint64_t transaction) noexcept;

}  // namespace molgauge::store
