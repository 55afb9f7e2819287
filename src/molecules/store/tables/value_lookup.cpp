#include "molecules/store/tables/value_lookup.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "molecules/store/lmdb/cursor.h"
#include "molecules/store/lmdb/environment.h"
#include "molecules/store/lmdb/lmdb_value.h"
#include "molecules/store/tables/footprint.h"

namespace molgauge::store {
namespace {

/// A wanted key. `leading` contains its first bytes, which decide nearly every comparison.
struct WantedKey {
  std::uint64_t leading;
  std::size_t index;
};

std::uint64_t leading_bytes(const std::uint8_t* key) {
  std::uint64_t leading = 0;
  for (std::size_t i = 0; i < sizeof(leading); ++i) {
    leading = leading << 8 | key[i];
  }
  return leading;
}

/// Sorts in the byte order of LMDB, so adjacent keys are usually on the current page.
std::vector<WantedKey> sorted_by_key(std::span<const Hash128> keys) {
  std::vector<WantedKey> order(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    order[i] = {leading_bytes(keys[i].data()), i};
  }
  std::sort(order.begin(), order.end(), [&](const WantedKey& x, const WantedKey& y) {
    return x.leading != y.leading ? x.leading < y.leading : keys[x.index] < keys[y.index];
  });
  return order;
}

class Lookup {
 public:
  Lookup(Environment& environment, MDB_txn* transaction, MDB_dbi database, std::span<const Hash128> keys)
      : environment_(environment), footprint_(environment), keys_(keys), order_(sorted_by_key(keys)) {
    MDB_cursor* opened = nullptr;
    environment.check("read", mdb_cursor_open(transaction, database, &opened));
    cursor_.reset(opened);
    found_.reserve(keys.size());
  }

  /// Searches for each key.
  void visit_keys() {
    for (const WantedKey& wanted : order_) {
      MDB_val key = to_value(keys_[wanted.index]);
      MDB_val value;
      if (go(key, value, MDB_SET_RANGE) && is(key, keys_[wanted.index])) {
        found_.push_back({to_bytes(value), wanted.index});
      }
    }
  }

  /// Reads the whole table in the order of the sorted keys. A step to the next key takes a fifth of the time
  /// of a search. If the keys of the table are not in ascending order, a key is damaged. This function then
  /// searches for each wanted key instead.
  void visit_table() {
    auto wanted = order_.begin();
    MDB_val key;
    MDB_val value;
    Hash128 before{};
    bool is_first = true;
    for (bool more = go(key, value, MDB_FIRST); more && wanted != order_.end();
         more = go(key, value, MDB_NEXT)) {
      Hash128 stored;
      if (!to_key(key, stored)) {
        continue;
      }
      if (!std::exchange(is_first, false) && stored <= before) {
        found_.clear();
        visit_keys();
        return;
      }
      before = stored;
      while (wanted != order_.end() && keys_[wanted->index] < stored) {
        ++wanted;
      }
      for (; wanted != order_.end() && keys_[wanted->index] == stored; ++wanted) {
        found_.push_back({to_bytes(value), wanted->index});
      }
    }
  }

  std::vector<FoundValue> take_found() {
    std::sort(found_.begin(), found_.end(),
              [](const FoundValue& x, const FoundValue& y) { return x.value.data() < y.value.data(); });
    return std::move(found_);
  }

 private:
  bool go(MDB_val& key, MDB_val& value, MDB_cursor_op where) {
    const int code = mdb_cursor_get(cursor_.get(), &key, &value, where);
    if (code == MDB_NOTFOUND) {
      return false;
    }
    environment_.check("read", code);
    footprint_.touch(key);
    return true;
  }

  static bool is(const MDB_val& found, const Hash128& wanted) {
    Hash128 key;
    return to_key(found, key) && key == wanted;
  }

  Environment& environment_;
  Footprint footprint_;
  std::span<const Hash128> keys_;
  std::vector<WantedKey> order_;
  Cursor cursor_;
  std::vector<FoundValue> found_;
};

}  // namespace

std::vector<FoundValue> find_values(Environment& environment, MDB_txn* transaction, MDB_dbi database,
                                    std::span<const Hash128> keys) {
  constexpr std::size_t kStepsPerKey = 4;
  MDB_stat table{};
  environment.check("read", mdb_stat(transaction, database, &table));
  Lookup lookup(environment, transaction, database, keys);
  if (table.ms_entries <= kStepsPerKey * keys.size()) {
    lookup.visit_table();
  } else {
    lookup.visit_keys();
  }
  return lookup.take_found();
}

}  // namespace molgauge::store
