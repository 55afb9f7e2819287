#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>

#include <lmdb.h>

#include "base/core/hash.h"

namespace molgauge::store {

// LMDB takes pointers to non-const even for data that it only reads.

inline MDB_val to_value(const Hash128& key) { return {key.size(), const_cast<std::uint8_t*>(key.data())}; }

inline MDB_val to_value(std::string_view text) { return {text.size(), const_cast<char*>(text.data())}; }

inline MDB_val to_value(std::span<const std::byte> bytes) {
  return {bytes.size(), const_cast<std::byte*>(bytes.data())};
}

inline std::string_view to_text(const MDB_val& value) {
  return {static_cast<const char*>(value.mv_data), value.mv_size};
}

inline std::span<const std::byte> to_bytes(const MDB_val& value) {
  return {static_cast<const std::byte*>(value.mv_data), value.mv_size};
}

/// Reads a key. Returns false if the value does not have the size of a key.
inline bool to_key(const MDB_val& value, Hash128& key) {
  if (value.mv_size != key.size()) {
    return false;
  }
  std::memcpy(key.data(), value.mv_data, key.size());
  return true;
}

}  // namespace molgauge::store
