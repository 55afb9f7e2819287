#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>

/// The layout of the data file of LMDB on disk: format 1, 64 bits, little-endian (mdb.c of LMDB 0.9:
/// MDB_page, MDB_db, MDB_meta, MDB_node).
namespace molgauge::store::pages {

using PageNumber = std::uint64_t;
inline constexpr PageNumber kNoPage = ~PageNumber{0};  ///< root of a database without entries
inline constexpr PageNumber kMetaPages = 2;            ///< number of meta pages, at the start of the file

inline constexpr std::uint16_t kDeepestTree = 32;  ///< maximum depth: CURSOR_STACK of mdb.c

// Flags of a page.
inline constexpr std::uint16_t kBranch = 1, kLeaf = 2, kOverflow = 4, kMeta = 8;
// Flags of a node in a leaf.
inline constexpr std::uint16_t kOnOverflowPages = 1, kIsDatabase = 2;
// Flag of a database: keys are integers.
inline constexpr std::uint16_t kIntegerKeys = 8;

/// The start of every page. In a run of overflow pages, only the first page has a header. The offsets of the
/// nodes follow the header, two bytes each, up to `lower`. The nodes are between `upper` and the end of the
/// page.
struct Header {
  PageNumber number;
  std::uint16_t unused, flags;
  std::uint16_t lower, upper;  ///< on overflow pages, both numbers together are the number of pages (32 bits)
};
static_assert(sizeof(Header) == 16);

/// A tree. The trees `free` and `main` are stored in the meta pages. Every other tree is a value in the main
/// database under its name.
struct Database {
  std::uint32_t page_bytes;  ///< used only in the database of free pages
  std::uint16_t flags, depth;
  std::uint64_t branch_pages, leaf_pages, overflow_pages, entries;
  PageNumber root;
};
static_assert(sizeof(Database) == 48);

/// The content of a meta page after its header. LMDB uses the meta page with the later transaction.
struct Meta {
  std::uint32_t magic, version;
  std::uint64_t address, map_bytes;
  Database free, main;
  PageNumber last_page;
  std::uint64_t transaction;
};
static_assert(sizeof(Meta) == 136);

/// The header of a node. The key follows it. In a leaf, the key is followed by the value or by the number of
/// its first overflow page. In a branch, the node contains the page number of a child whose keys start at
/// this key.
struct Node {
  std::uint16_t low, high, flags, key_bytes;

  std::uint32_t value_bytes() const { return low | std::uint32_t{high} << 16; }
  PageNumber child() const { return value_bytes() | PageNumber{flags} << 32; }
};
static_assert(sizeof(Node) == 8);

/// The number of overflow pages for a value of this many bytes.
constexpr std::uint64_t overflow_pages(std::uint64_t value_bytes, std::uint64_t page_bytes) {
  return (sizeof(Header) - 1 + value_bytes) / page_bytes + 1;
}

/// The header at the start of the first overflow page.
constexpr Header overflow_header(PageNumber first, std::uint64_t value_bytes, std::uint64_t page_bytes) {
  const auto count = static_cast<std::uint32_t>(overflow_pages(value_bytes, page_bytes));
  return {.number = first,
          .unused = 0,
          .flags = kOverflow,
          .lower = static_cast<std::uint16_t>(count),
          .upper = static_cast<std::uint16_t>(count >> 16)};
}

/// Loads a value at an offset of a page. The caller has checked the offset.
template <typename Thing>
Thing load(std::span<const std::byte> page, std::size_t offset) {
  Thing thing;
  std::memcpy(&thing, page.data() + offset, sizeof(thing));
  return thing;
}

/// Reads the file without mapping it. A missing page therefore causes an error and no signal.
class DataFile {
 public:
  /// Throws Error naming the file when it cannot be opened.
  explicit DataFile(const std::filesystem::path& path);
  ~DataFile();
  DataFile(const DataFile&) = delete;
  DataFile& operator=(const DataFile&) = delete;

  std::uint64_t size() const;
  /// Returns false if the file is too short.
  bool read(std::uint64_t offset, std::span<std::byte> target) const;

 private:
  std::filesystem::path path_;
  int descriptor_;
};

}  // namespace molgauge::store::pages
