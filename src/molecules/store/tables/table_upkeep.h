#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "molecules/store/lmdb/environment.h"
#include "molecules/store/tables/verification.h"

/// Operations on a whole database of the store, for values of any kind.
namespace molgauge::store {

/// Describes the damage of a stored pair. Returns an empty text if the pair is intact.
using DescribeDamage = std::function<std::string(const MDB_val& key, const MDB_val& value)>;

/// Checks every pair of the database `name`, and whether a search for its key finds the pair. Adds its
/// findings to `result`.
void verify_table(Environment& environment, MDB_dbi database, const std::string& name,
                  const DescribeDamage& describe, Verification& result);

/// Deletes all pairs and returns their number. The database itself stays, so that other handles of it stay
/// valid.
std::size_t empty_table(Environment& environment, MDB_dbi database);

/// Deletes the damaged pairs and returns their number. A damaged key in the tree can hide intact pairs from
/// searches. In this case, rebuilds the tree from the intact pairs and logs the numbers of intact and lost
/// pairs.
std::size_t remove_damaged(Environment& environment, MDB_dbi database, const DescribeDamage& describe);

/// The number of pairs in a database, and the bytes of its pages.
struct TableSize {
  std::size_t rows = 0;
  std::uint64_t bytes = 0;
};
TableSize size_of_table(Environment& environment, MDB_dbi database);

/// Stores a value under a key within a write transaction. Replaces an earlier value.
void put_value(Environment& environment, MDB_txn* transaction, MDB_dbi database, MDB_val key, MDB_val value);

/// Throws Error when the store is open for reading only.
void require_write_access(const Environment& environment);

}  // namespace molgauge::store
