#pragma once

#include <cstdint>
#include <filesystem>

/// Whether the trees of a data file have to be looked at before LMDB follows them (store/page_check.h): not
/// where the file is, to the nanosecond of its last change, what a writer left that had looked at them, or
/// had found them so, and ended in an orderly way. What changes the file afterwards (another writer, a copy,
/// a damaging hand) changes its time or its size; what turns bits on the disk itself does not, and is found
/// by `headroom store verify`.
namespace headroom::store {

/// Whether the file `checked` beside data.mdb describes it as it is, at this transaction.
bool ended_cleanly(const std::filesystem::path& folder, std::uint64_t transaction);

/// Writes the file `checked`. Gives data.mdb a time of its own, finer than that of the system's clock for
/// files, so that no later change can leave it the same. Where that is not allowed, or the disk is full, the
/// trees are looked at the next time.
void note_clean_end(const std::filesystem::path& folder, std::uint64_t transaction) noexcept;

}  // namespace headroom::store
