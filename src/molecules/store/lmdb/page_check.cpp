#include "molecules/store/lmdb/page_check.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "molecules/store/lmdb/lmdb_error.h"
#include "molecules/store/lmdb/lmdb_pages.h"

namespace molgauge::store {
namespace {

using namespace pages;

constexpr std::size_t kLongestKey = 511;

enum class Kind { free_pages, names, rows };

struct Page {
  PageNumber number;
  std::span<const std::byte> bytes;
  Header header;
};

/// Checks all trees of one transaction.
class PageCheck {
 public:
  PageCheck(const std::filesystem::path& folder, const DataFile& file, const Meta& meta)
      : folder_(folder), file_(file), meta_(meta), taken_(meta.last_page + 1), buffer_(meta.free.page_bytes) {
    taken_[0] = taken_[1] = true;
  }

  void run() {
    check_tree(meta_.main, Kind::names);
    for (const Database& rows : tables_) {
      check_tree(rows, Kind::rows);
    }
    check_tree(meta_.free, Kind::free_pages);
  }

 private:
  /// Checks the pages of a tree level by level. Within a level, pages are checked in the order of the file.
  void check_tree(const Database& tree, Kind kind) {
    if (tree.root == kNoPage) {
      if (tree.depth != 0 || tree.entries != 0) {
        throw_damage(folder_, "an empty tree claims to have entries");
      }
      return;
    }
    std::uint64_t entries = 0;
    std::vector<PageNumber> level = {tree.root};
    for (unsigned left = tree.depth; left > 0; --left) {
      std::vector<PageNumber> below;
      std::ranges::sort(level);
      for (const PageNumber number : level) {
        take(number, 1);
        const Page page = read(number, left == 1 ? kLeaf : kBranch);
        entries += left == 1 ? check_leaf(page, kind) : check_branch(page, kind, below);
      }
      level = std::move(below);
    }
    if (!level.empty() || entries != tree.entries) {
      throw_damage(folder_, fmt::format("a tree has {} entries of {}", entries, tree.entries));
    }
  }

  /// Marks these pages as used. A page that is used twice is damage.
  void take(PageNumber first, std::uint64_t count) {
    if (first > meta_.last_page || count > meta_.last_page + 1 - first) {
      throw_damage(folder_,
                   fmt::format("page {} and {} behind it lie outside of the file", first, count - 1));
    }
    for (PageNumber number = first; number < first + count; ++number) {
      if (taken_[number]) {
        throw_damage(folder_, fmt::format("page {} is used twice", number));
      }
      taken_[number] = true;
    }
  }

  Page read(PageNumber number, std::uint16_t flags) {
    const std::uint64_t size = buffer_.size();
    if (!file_.read(number * size, buffer_)) {
      throw_damage(folder_, fmt::format("page {} is cut off", number));
    }
    const Page page = {number, buffer_, load<Header>(buffer_, 0)};
    const auto [lower, upper] = std::pair(page.header.lower, page.header.upper);
    if (page.header.number != number || page.header.flags != flags) {
      fail(page, "another page in its place");
    }
    if (lower <= sizeof(Header) || lower % 2 != 0 || lower > upper || upper > size) {
      fail(page, "impossible bounds");
    }
    return page;
  }

  /// Calls `visit(node, offset of its key)` for each node. Throws if a node is not within the page or
  /// overlaps another node.
  template <typename Visit>
  void for_each_node(const Page& page, const Visit& visit) {
    extents_.clear();
    for (std::size_t place = sizeof(Header); place < page.header.lower; place += sizeof(std::uint16_t)) {
      const std::size_t begin = load<std::uint16_t>(page.bytes, place);
      if (begin < page.header.upper || begin + sizeof(Node) > page.bytes.size()) {
        fail(page, "a node outside of it");
      }
      const Node node = load<Node>(page.bytes, begin);
      const std::size_t end = begin + sizeof(Node) + node.key_bytes + bytes_behind_key(page, node);
      if (end > page.bytes.size() || node.key_bytes > kLongestKey) {
        fail(page, "a node outside of it");
      }
      extents_.emplace_back(begin, end);
      visit(node, begin + sizeof(Node));
    }
    std::ranges::sort(extents_);
    for (std::size_t i = 1; i < extents_.size(); ++i) {
      if (extents_[i].first < extents_[i - 1].second) {
        fail(page, "nodes that overlap");
      }
    }
  }

  static std::size_t bytes_behind_key(const Page& page, const Node& node) {
    if (page.header.flags == kBranch) {
      return 0;
    }
    return (node.flags & kOnOverflowPages) != 0 ? sizeof(PageNumber) : node.value_bytes();
  }

  /// Checks a branch. Only the database of free pages may have a branch with a single child.
  std::uint64_t check_branch(const Page& page, Kind kind, std::vector<PageNumber>& below) {
    const std::size_t before = below.size();
    for_each_node(page, [&](const Node& node, std::size_t) { below.push_back(node.child()); });
    if (below.size() - before < 2 && kind != Kind::free_pages) {
      fail(page, "a single child");
    }
    return 0;
  }

  std::uint64_t check_leaf(const Page& page, Kind kind) {
    std::uint64_t entries = 0;
    for_each_node(page, [&](const Node& node, std::size_t key) {
      ++entries;
      if (node.key_bytes == 0) {
        fail(page, "an entry without a key");
      }
      check_entry(page, node, key, kind);
    });
    return entries;
  }

  void check_entry(const Page& page, const Node& node, std::size_t key, Kind kind) {
    const std::size_t value = key + node.key_bytes;
    if (node.flags == kIsDatabase && kind == Kind::names) {
      if (node.value_bytes() != sizeof(Database)) {
        fail(page, "a database of impossible size");
      }
      add_table(page, load<Database>(page.bytes, value));
    } else if (node.flags == kOnOverflowPages) {
      const auto first = load<PageNumber>(page.bytes, value);
      take(first, overflow_pages(node.value_bytes(), page.bytes.size()));
      if (kind == Kind::free_pages) {
        check_free_pages(page, node, key, read_overflow(page, first, node.value_bytes()));
      }
    } else if (node.flags != 0) {
      fail(page, "an entry of unknown kind");
    } else if (kind == Kind::free_pages) {
      check_free_pages(page, node, key, page.bytes.subspan(value, node.value_bytes()));
    }
  }

  void add_table(const Page& page, const Database& table) {
    if (table.flags != 0 || table.depth > kDeepestTree || (table.root != kNoPage && table.depth == 0)) {
      fail(page, "a database that no feature store has");
    }
    tables_.push_back(table);
  }

  /// Reads a list of free pages from its overflow pages. Checks the header, because LMDB relies on it when it
  /// frees these pages.
  std::vector<std::byte> read_overflow(const Page& page, PageNumber first, std::size_t bytes) {
    std::vector<std::byte> run(sizeof(Header) + bytes);
    if (!file_.read(first * buffer_.size(), run)) {
      fail(page, "a value that is cut off");
    }
    const Header header = overflow_header(first, bytes, buffer_.size());
    if (std::memcmp(run.data(), &header, sizeof(header)) != 0) {
      fail(page, "a value on other pages than it should");
    }
    run.erase(run.begin(), run.begin() + sizeof(Header));
    return run;
  }

  /// Checks a list of pages that a transaction freed: the number of pages, then the pages in descending
  /// order.
  void check_free_pages(const Page& page, const Node& node, std::size_t key,
                        std::span<const std::byte> list) {
    constexpr std::size_t kWord = sizeof(PageNumber);
    const bool has_words = node.key_bytes == kWord && list.size() >= kWord;
    if (!has_words || load<std::uint64_t>(page.bytes, key) > meta_.transaction ||
        load<std::uint64_t>(list, 0) > list.size() / kWord - 1) {
      fail(page, "an impossible list of free pages");
    }
    PageNumber before = kNoPage;
    for (std::uint64_t i = 1; i <= load<std::uint64_t>(list, 0); ++i) {
      const auto number = load<PageNumber>(list, i * kWord);
      if (number >= before) {
        fail(page, "a list of free pages out of order");
      }
      take(number, 1);
      before = number;
    }
  }

  [[noreturn]] void fail(const Page& page, const char* finding) const {
    throw_damage(folder_, fmt::format("page {} has {}", page.number, finding));
  }

  const std::filesystem::path& folder_;
  const DataFile& file_;
  const Meta& meta_;
  std::vector<bool> taken_;
  std::vector<std::byte> buffer_;
  std::vector<std::pair<std::size_t, std::size_t>> extents_;
  std::vector<Database> tables_;
};

}  // namespace

bool check_pages(const std::filesystem::path& folder, std::uint64_t transaction) {
  const DataFile file(folder / "data.mdb");
  std::uint64_t offset = 0;
  for (PageNumber number = 0; number < kMetaPages; ++number) {
    Meta meta;
    if (!file.read(offset + sizeof(Header), std::as_writable_bytes(std::span(&meta, 1)))) {
      throw_damage(folder, "it is cut short");
    }
    if (meta.transaction == transaction) {
      PageCheck(folder, file, meta).run();
      return true;
    }
    offset = meta.free.page_bytes;
  }
  return false;
}

}  // namespace molgauge::store
