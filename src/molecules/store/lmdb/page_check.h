#pragma once

#include <cstdint>
#include <filesystem>

/// LMDB does not check its file. A damaged page can make LMDB read or write outside of its map, or allocate a
/// page twice. These functions therefore check all page references in advance.
namespace molgauge::store {

/// Checks the two meta pages before LMDB opens the file. Throws InputError with the defect. Does nothing if
/// the file is missing or empty, or if LMDB itself refuses it.
void check_meta_pages(const std::filesystem::path& folder);

/// Checks every tree. Call it within the read transaction number `transaction`, because this transaction
/// keeps the pages unchanged. Each branch and leaf page must contain its own page number. Its nodes must be
/// within the page, and its children and overflow pages within the file. No page may be used twice, or be
/// both used and free. Keys and values are not checked. Each row has a checksum
/// (molecules/store/features/stored_row.h), and the header of overflow pages is repaired before LMDB uses it
/// (Environment::mend_overflow_header). Reads about 1.5 % of a store whose rows have 512 numbers.
///
/// Returns false if later commits of other processes have overwritten the roots of the trees. Then try again
/// in a new transaction. Throws InputError naming the page and the reason.
bool check_pages(const std::filesystem::path& folder, std::uint64_t transaction);

}  // namespace molgauge::store
