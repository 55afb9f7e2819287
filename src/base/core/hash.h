#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace molgauge {

/// 128-bit hash in canonical (big-endian) byte order.
using Hash128 = std::array<std::uint8_t, 16>;

/// Returns the XXH3 hash of 128 bits. It is the key of a molecule in the feature store.
Hash128 hash128(std::string_view text);

/// Computes hash128() of bytes that arrive in pieces, for example from a file.
class GrowingHash128 {
 public:
  GrowingHash128();
  ~GrowingHash128();
  GrowingHash128(const GrowingHash128&) = delete;
  GrowingHash128& operator=(const GrowingHash128&) = delete;

  void append(std::span<const std::byte> bytes);
  /// The hash of all bytes that were appended so far.
  Hash128 value() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Returns the XXH3 hash of 64 bits. It is the checksum of a stored value.
std::uint64_t checksum64(std::span<const std::byte> bytes);

}  // namespace molgauge
