#pragma once

#include <cstdint>
#include <filesystem>

/// LMDB trusts its file: a damaged page makes it read or write outside of its map, or hand out a page twice.
/// So everything that leads it through the file is checked beforehand.
namespace headroom::store {

/// Before LMDB opens the file: its two meta pages. Throws InputError saying what is wrong with them; nothing
/// when there is no file, an empty one, or one that LMDB itself refuses.
void check_meta_pages(const std::filesystem::path& folder);

/// In a read transaction of that number, which keeps its pages as they are: every tree. Each branch and leaf
/// page is the one it should be, its nodes lie within it, its children and overflow pages within the file,
/// and no page is used twice or both used and free. Keys and values are not looked at: a row has a checksum
/// of its own (data/store/features/stored_row.h), and the header of overflow pages is mended before LMDB uses
/// it (Environment::mend_overflow_header). Reads some 1.5 % of a store of 512 numbers a row.
///
/// False when other processes have committed so often since that the file no longer says where the trees
/// start; a new transaction may be tried. Throws InputError naming the page and the reason.
bool check_pages(const std::filesystem::path& folder, std::uint64_t transaction);

}  // namespace headroom::store
