#pragma once

#include <cstdint>
#include <filesystem>

/// A note beside a data file that its last writer ended in an orderly way. Its trees need not be checked
/// (data/store/lmdb/page_check.h) before LMDB follows them, as long as the file has the size, the transaction
/// and the time of the last change that the note names.
///
/// Every later change of the file, by another writer, by a copy or by hand, changes its size or its time.
/// Bits that turn on the disk itself change neither; `headroom store verify` finds them.
namespace headroom::store {

/// Whether the file `checked` beside data.mdb describes it as it is, at this transaction.
bool ended_cleanly(const std::filesystem::path& folder, std::uint64_t transaction);

/// Writes the file `checked`. Gives data.mdb a time of its own, finer than that of the system's clock for
/// files, so that no later change can leave it the same. Where that is not allowed, or the disk is full, the
/// trees are looked at the next time.
void note_clean_end(const std::filesystem::path& folder, std::uint64_t transaction) noexcept;

}  // namespace headroom::store
