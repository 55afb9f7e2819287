#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <lmdb.h>

#include "base/core/hash.h"

namespace molgauge::store {

class Environment;

/// The value of a key. The bytes are in the memory map of the store.
struct FoundValue {
  std::span<const std::byte> value;
  std::size_t index = 0;  ///< index of the key
};

/// Finds the values of the keys, in file order. Keys without a value are skipped. Reads only the pages of the
/// keys and does not touch the pages of the values. The values are valid until the transaction ends. Throws
/// as Environment::check does.
std::vector<FoundValue> find_values(Environment& environment, MDB_txn* transaction, MDB_dbi database,
                                    std::span<const Hash128> keys);

}  // namespace molgauge::store
