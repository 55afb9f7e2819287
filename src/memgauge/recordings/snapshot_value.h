#pragma once

#include <cstddef>
#include <cstdint>

namespace molgauge::allocator {

/// A value in the pickle of a snapshot: a number, or an index into SnapshotTables. It has 16 bytes.
struct SnapshotValue {
  enum class Kind : std::uint8_t { none, boolean, integer, real, other, text, sequence, dictionary };

  Kind kind = Kind::none;
  /// The meaning depends on the kind. integer: two's complement, but addresses above 2^63 are unchanged.
  /// real: the bits of a double. text, sequence and dictionary: an index.
  std::uint64_t bits = 0;

  bool is(Kind wanted) const { return kind == wanted; }
  bool operator==(const SnapshotValue&) const = default;
  std::size_t index() const { return static_cast<std::size_t>(bits); }
};

}  // namespace molgauge::allocator
