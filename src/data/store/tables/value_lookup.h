#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <lmdb.h>

#include "core/hash.h"

namespace headroom::store {

class Environment;

/// A key's value, at its place in the map.
struct FoundValue {
  std::span<const std::byte> value;
  std::size_t index = 0;  ///< index of the key
};

/// The values of the keys that have one, in the order in which they lie in the file, whatever the order of
/// the keys. Looks at the pages of keys alone: the values' own are not touched. They are valid as long as the
/// transaction. Throws as Environment::check does.
std::vector<FoundValue> find_values(Environment& environment, MDB_txn* transaction, MDB_dbi database,
                                    std::span<const Hash128> keys);

}  // namespace headroom::store
