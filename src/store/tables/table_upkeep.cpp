#include "store/tables/table_upkeep.h"

#include "core/error.h"
#include "store/lmdb/cursor.h"
#include "store/tables/footprint.h"

namespace headroom::store {
namespace {

/// A leaf of the tree, its former pages and its new ones.
constexpr std::size_t kNeighbourhoodsOfAWrite = 3;

MDB_stat statistics_of(Environment& environment, MDB_dbi database) {
  MDB_stat statistics{};
  environment.read(
      [&](MDB_txn* transaction) { environment.check("read", mdb_stat(transaction, database, &statistics)); });
  return statistics;
}

/// Prepares the value that is stored under the key already for being replaced.
void mend_former_value(const Environment& environment, MDB_txn* transaction, MDB_dbi database, MDB_val key) {
  MDB_val former;
  const int code = mdb_get(transaction, database, &key, &former);
  if (code != MDB_NOTFOUND) {
    environment.check("read", code);
    environment.mend_overflow_header(former);
  }
}

}  // namespace

void verify_table(Environment& environment, MDB_dbi database, const std::string& name,
                  const DescribeDamage& describe, Verification& result) {
  environment.read([&](MDB_txn* transaction) {
    Footprint footprint(environment);
    for_each_pair(environment, transaction, database,
                  [&](MDB_cursor*, const MDB_val& key, const MDB_val& value) {
                    footprint.touch(value);
                    ++result.rows;
                    if (const auto damage = describe(key, value); !damage.empty()) {
                      ++result.damaged;
                      result.findings.push_back(name + ": " + damage);
                    }
                  });
  });
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
  environment.write([&](MDB_txn* transaction) {
    removed = 0;  // the body may run again with a larger map
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

}  // namespace headroom::store
