#include "molecules/store/lmdb/cursor.h"

#include "molecules/store/lmdb/environment.h"

namespace molgauge::store {

void for_each_pair(const Environment& environment, MDB_txn* transaction, MDB_dbi database,
                   const VisitPair& visit) {
  MDB_cursor* opened = nullptr;
  environment.check("read", mdb_cursor_open(transaction, database, &opened));
  const Cursor cursor(opened);
  MDB_val key;
  MDB_val value;
  int code = mdb_cursor_get(cursor.get(), &key, &value, MDB_FIRST);
  for (; code == MDB_SUCCESS; code = mdb_cursor_get(cursor.get(), &key, &value, MDB_NEXT)) {
    visit(cursor.get(), key, value);
  }
  if (code != MDB_NOTFOUND) {
    environment.check("read", code);
  }
}

}  // namespace molgauge::store
