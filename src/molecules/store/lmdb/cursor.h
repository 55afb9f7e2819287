#pragma once

#include <functional>
#include <memory>

#include <lmdb.h>

namespace molgauge::store {

class Environment;

/// A position in an LMDB database. It must be closed before its transaction ends.
struct CloseCursor {
  void operator()(MDB_cursor* cursor) const { mdb_cursor_close(cursor); }
};
using Cursor = std::unique_ptr<MDB_cursor, CloseCursor>;

/// Calls `visit` with every pair of the database in the order of the keys. `visit` may delete the current
/// pair through the cursor. Throws as Environment::check does.
using VisitPair = std::function<void(MDB_cursor* cursor, const MDB_val& key, const MDB_val& value)>;
void for_each_pair(const Environment& environment, MDB_txn* transaction, MDB_dbi database,
                   const VisitPair& visit);

}  // namespace molgauge::store
