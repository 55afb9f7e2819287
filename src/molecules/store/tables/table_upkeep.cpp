#include "molecules/store/tables/table_upkeep.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <vector>

#include <fcntl.h>

#include "base/core/error.h"
#include "base/core/session/log.h"
#include "molecules/store/lmdb/cursor.h"
#include "molecules/store/lmdb/lmdb_value.h"
#include "molecules/store/tables/footprint.h"

namespace molgauge::store {
namespace {

/// Number of neighbourhoods (64 KiB around a page, footprint.h) that a write uses. They belong to a leaf of
/// the tree, to the old pages of the value, and to the new pages.
constexpr std::size_t kNeighbourhoodsOfAWrite = 3;

MDB_stat statistics_of(Environment& environment, MDB_dbi database) {
  MDB_stat statistics{};
  environment.read(
      [&](MDB_txn* transaction) { environment.check("read", mdb_stat(transaction, database, &statistics)); });
  return statistics;
}

/// Repairs the value that is stored under the key, so that LMDB can replace it.
void mend_former_value(const Environment& environment, MDB_txn* transaction, MDB_dbi database, MDB_val key) {
  MDB_val former;
  const int code = mdb_get(transaction, database, &key, &former);
  if (code != MDB_NOTFOUND) {
    environment.check("read", code);
    environment.mend_overflow_header(former);
  }
}

/// Whether a search for the key finds the value. A flipped bit in a key of the tree can mislead the search.
bool is_found_by_key(const Environment& environment, MDB_txn* transaction, MDB_dbi database, MDB_val key,
                     const MDB_val& value) {
  MDB_val found;
  const int code = mdb_get(transaction, database, &key, &found);
  if (code == MDB_NOTFOUND) {
    return false;
  }
  environment.check("read", code);
  return found.mv_data == value.mv_data;
}

/// Stores pairs in an unnamed file in the folder of the store. The file is deleted with the object.
class SetAside {
 public:
  explicit SetAside(const std::filesystem::path& folder) : folder_(folder) {
    const int descriptor = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    file_ = descriptor < 0 ? std::tmpfile() : fdopen(descriptor, "w+b");
    if (file_ == nullptr) {
      fail();
    }
  }
  ~SetAside() { std::fclose(file_); }
  SetAside(const SetAside&) = delete;
  SetAside& operator=(const SetAside&) = delete;

  void append(const MDB_val& part) {
    const std::uint64_t size = part.mv_size;
    if (std::fwrite(&size, sizeof size, 1, file_) != 1 ||
        std::fwrite(part.mv_data, 1, part.mv_size, file_) != part.mv_size) {
      fail();
    }
  }
  void rewind() {
    if (std::fflush(file_) != 0 || std::fseek(file_, 0, SEEK_SET) != 0) {
      fail();
    }
  }
  void read(std::vector<std::byte>& part) {
    std::uint64_t size = 0;
    if (std::fread(&size, sizeof size, 1, file_) != 1) {
      fail();
    }
    part.resize(size);
    if (std::fread(part.data(), 1, part.size(), file_) != part.size()) {
      fail();
    }
  }

 private:
  [[noreturn]] void fail() const { throw system_error(folder_.string(), "repair the feature store", errno); }

  const std::filesystem::path& folder_;
  std::FILE* file_ = nullptr;
};

/// Rebuilds the tree: empties the database and writes the intact pairs back. Returns the number of damaged
/// pairs, which are lost.
std::size_t rebuild(Environment& environment, MDB_txn* transaction, MDB_dbi database,
                    const DescribeDamage& describe) {
  SetAside pairs(environment.folder());
  std::size_t whole = 0, damaged = 0;
  Footprint footprint(environment);
  for_each_pair(environment, transaction, database,
                [&](MDB_cursor*, const MDB_val& key, const MDB_val& value) {
                  footprint.touch(value);
                  environment.mend_overflow_header(value);
                  if (!describe(key, value).empty()) {
                    ++damaged;
                    return;
                  }
                  ++whole;
                  pairs.append(key);
                  pairs.append(value);
                });
  pairs.rewind();
  environment.check("write to", mdb_drop(transaction, database, /*del=*/0));
  std::vector<std::byte> key, value;
  for (std::size_t pair = 0; pair < whole; ++pair) {
    pairs.read(key);
    pairs.read(value);
    put_value(environment, transaction, database, to_value(key), to_value(value));
  }
  return damaged;
}

}  // namespace

void verify_table(Environment& environment, MDB_dbi database, const std::string& name,
                  const DescribeDamage& describe, Verification& result) {
  std::size_t lost_to_search = 0;
  environment.read([&](MDB_txn* transaction) {
    Footprint footprint(environment);
    for_each_pair(environment, transaction, database,
                  [&](MDB_cursor*, const MDB_val& key, const MDB_val& value) {
                    footprint.touch(value);
                    ++result.rows;
                    if (const auto damage = describe(key, value); !damage.empty()) {
                      ++result.damaged;
                      result.findings.push_back(name + ": " + damage);
                    } else if (!is_found_by_key(environment, transaction, database, key, value)) {
                      ++result.damaged;
                      ++lost_to_search;
                    }
                  });
  });
  if (lost_to_search > 0) {
    result.findings.push_back(name + ": " + std::to_string(lost_to_search) +
                              " intact rows are not found by their keys, because a key in the tree of the "
                              "table is damaged. To rebuild the tree, run molgauge store prune --damaged");
  }
}

std::size_t empty_table(Environment& environment, MDB_dbi database) {
  std::size_t rows = 0;
  environment.write([&](MDB_txn* transaction) {
    MDB_stat statistics{};
    environment.check("read", mdb_stat(transaction, database, &statistics));
    rows = statistics.ms_entries;
    Footprint footprint(environment);
    for_each_pair(environment, transaction, database, [&](MDB_cursor*, const MDB_val&, const MDB_val& value) {
      footprint.touch(value);
      environment.mend_overflow_header(value);
    });
    environment.check("write to", mdb_drop(transaction, database, /*del=*/0));
  });
  return rows;
}

std::size_t remove_damaged(Environment& environment, MDB_dbi database, const DescribeDamage& describe) {
  std::size_t removed = 0;
  bool rebuilt = false;
  environment.write([&](MDB_txn* transaction) {
    removed = 0;  // the body runs again if the map had to grow
    bool is_searchable = true;
    for_each_pair(
        environment, transaction, database, [&](MDB_cursor*, const MDB_val& key, const MDB_val& value) {
          is_searchable = is_searchable && is_found_by_key(environment, transaction, database, key, value);
        });
    if (!is_searchable) {
      removed = rebuild(environment, transaction, database, describe);
      rebuilt = true;
      return;
    }
    Footprint footprint(environment);
    for_each_pair(environment, transaction, database,
                  [&](MDB_cursor* cursor, const MDB_val& key, const MDB_val& value) {
                    footprint.touch(value);
                    if (!describe(key, value).empty()) {
                      environment.mend_overflow_header(value);
                      environment.check("write to", mdb_cursor_del(cursor, 0));
                      ++removed;
                    }
                  });
  });
  if (rebuilt) {
    log_warning(
        "{}: a key in the tree of a table was damaged. The tree was rebuilt from {} intact rows, and {} "
        "damaged rows are lost",
        environment.folder().string(), size_of_table(environment, database).rows, removed);
  }
  return removed;
}

TableSize size_of_table(Environment& environment, MDB_dbi database) {
  const MDB_stat statistics = statistics_of(environment, database);
  const std::uint64_t pages =
      statistics.ms_branch_pages + statistics.ms_leaf_pages + statistics.ms_overflow_pages;
  return {statistics.ms_entries, pages * statistics.ms_psize};
}

void put_value(Environment& environment, MDB_txn* transaction, MDB_dbi database, MDB_val key, MDB_val value) {
  mend_former_value(environment, transaction, database, key);
  environment.check("write to", mdb_put(transaction, database, &key, &value, 0));
  environment.count_neighbourhoods(kNeighbourhoodsOfAWrite);
}

void require_write_access(const Environment& environment) {
  if (environment.access() == Access::read) {
    throw Error(environment.folder().string() + ": the feature store is open for reading only");
  }
}

}  // namespace molgauge::store
