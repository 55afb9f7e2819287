// Checks the two meta pages, which contain the positions of all trees.

#include <array>
#include <bit>
#include <chrono>
#include <optional>
#include <string>
#include <thread>

#include <lmdb.h>

#include "base/core/error.h"
#include "molecules/store/lmdb/lmdb_error.h"
#include "molecules/store/lmdb/lmdb_pages.h"
#include "molecules/store/lmdb/page_check.h"

namespace molgauge::store {
namespace {

using namespace pages;

// The checks assume the layout of LMDB 0.9 (tested with 0.9.24). Another version may use another layout.
// Before you change these lines, compare lmdb_pages.h with mdb.c of that version and run
// tests/molecules/store.
static_assert(MDB_VERSION_MAJOR == 0 && MDB_VERSION_MINOR == 9,
              "lmdb_pages.h describes the files of LMDB 0.9");

/// Throws if the loaded library and the headers have different versions.
void require_tested_library(const std::filesystem::path& folder) {
  int major = 0, minor = 0;
  const std::string version = mdb_version(&major, &minor, nullptr);
  if (major != MDB_VERSION_MAJOR || minor != MDB_VERSION_MINOR) {
    throw Error(folder.string() + ": this program reads files of LMDB 0.9, but " + version +
                " is installed. Install liblmdb0 of version 0.9");
  }
}

constexpr std::uint32_t kMagic = 0xBEEFC0DE, kVersion = 1;
constexpr std::uint32_t kSmallestPage = 512, kLargestPage = 65536;
constexpr std::uint64_t kLargestMap = std::uint64_t{1} << 47;
/// Another process may be writing a meta page. A write takes microseconds.
constexpr int kAttempts = 5;
constexpr std::chrono::milliseconds kWait(20);

struct MetaPage {
  Header header;
  Meta meta;
};
static_assert(sizeof(MetaPage) == sizeof(Header) + sizeof(Meta));

bool is_lmdb(const MetaPage& page) {
  return (page.header.flags & kMeta) != 0 && page.meta.magic == kMagic && page.meta.version == kVersion;
}

const char* what_is_wrong_with(const Database& tree, PageNumber last_page) {
  if (tree.root == kNoPage) {
    return tree.depth == 0 && tree.entries == 0 ? nullptr : "an empty tree with entries";
  }
  if (tree.root < kMetaPages || tree.root > last_page) {
    return "a tree that starts outside of the file";
  }
  return tree.depth >= 1 && tree.depth <= kDeepestTree ? nullptr : "a tree of impossible depth";
}

const char* what_is_wrong_with(const MetaPage& page, PageNumber number) {
  const Meta& meta = page.meta;
  const std::uint32_t bytes = meta.free.page_bytes;
  if (page.header.number != number || page.header.flags != kMeta) {
    return "another page in its place";
  }
  if (bytes < kSmallestPage || bytes > kLargestPage || !std::has_single_bit(bytes)) {
    return "an impossible page size";
  }
  if (meta.free.flags != kIntegerKeys || meta.main.flags != 0) {
    return "flags that no feature store has";
  }
  if (meta.map_bytes > kLargestMap || meta.last_page >= meta.map_bytes / bytes ||
      meta.last_page + 1 < kMetaPages) {
    return "an impossible size";
  }
  // Transactions with even numbers write the first meta page, transactions with odd numbers the second.
  if (meta.transaction % 2 != number && meta.transaction != 0) {
    return "a transaction that belongs into the other one";
  }
  const char* const wrong = what_is_wrong_with(meta.free, meta.last_page);
  return wrong != nullptr ? wrong : what_is_wrong_with(meta.main, meta.last_page);
}

/// Returns a description of the damage, or an empty text if there is none.
std::string what_is_wrong_with(const DataFile& file) {
  std::array<MetaPage, kMetaPages> both;
  std::uint64_t offset = 0;
  for (MetaPage& page : both) {
    if (!file.read(offset, std::as_writable_bytes(std::span(&page, 1)))) {
      return "it is cut short";
    }
    const auto number = static_cast<PageNumber>(&page - both.data());
    if (const char* const wrong = what_is_wrong_with(page, number)) {
      return "page " + std::to_string(number) + " has " + wrong;
    }
    offset = page.meta.free.page_bytes;
  }
  const auto [first, second] = std::pair(both[0].meta, both[1].meta);
  if (first.free.page_bytes != second.free.page_bytes) {
    return "its first two pages do not agree on the page size";
  }
  if (first.transaction > second.transaction + 1 || second.transaction > first.transaction + 1) {
    return "its first two pages are not of consecutive transactions";
  }
  return "";
}

}  // namespace

void check_meta_pages(const std::filesystem::path& folder) {
  require_tested_library(folder);
  std::error_code unreadable;  // ignored here, because LMDB reports the same error later
  const auto path = folder / "data.mdb";
  if (!std::filesystem::exists(path, unreadable) || std::filesystem::file_size(path, unreadable) == 0) {
    return;
  }
  const DataFile file(path);
  std::string wrong;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    MetaPage first;
    const bool there = file.read(0, std::as_writable_bytes(std::span(&first, 1)));
    if (there && !is_lmdb(first)) {
      throw_lmdb_error(folder, "open", MDB_INVALID);
    }
    wrong = what_is_wrong_with(file);
    if (wrong.empty()) {
      return;
    }
    std::this_thread::sleep_for(kWait);
  }
  throw_damage(folder, wrong);
}

}  // namespace molgauge::store
