#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/io/bytes/little_endian.h"
#include "base/io/bytes/random_access.h"
#include "base/io/pickle/pickle_value.h"

namespace molgauge::io {

/// The bytes of a pickle, read in sequence through a window of the file. If a read fails, throws InputError
/// that contains only the reason. The caller adds the position.
class PickleInput {
 public:
  /// `file` must outlive the input.
  explicit PickleInput(const RandomAccess& file) : file_(file) {}

  std::uint64_t position() const { return position_; }

  /// Throws InputError if fewer than `count` bytes are left.
  void require(std::uint64_t count) const;

  template <typename Number>
  Number number() {
    std::array<std::byte, sizeof(Number)> bytes;
    take(bytes);
    return load_little_endian<Number>(bytes.data());
  }

  std::string text_of(std::uint64_t length);

  /// Skips bytes without reading them into memory. Returns their position and length.
  PickleBytes pass_over(std::uint64_t length);

  /// Returns the text up to a line feed, and skips the line feed.
  std::string line();

 private:
  void take(std::span<std::byte> target);
  /// Returns the bytes of the window from position() on. Reads the next window if there are none.
  std::span<const std::byte> window();

  const RandomAccess& file_;
  std::uint64_t position_ = 0;
  std::uint64_t window_start_ = 0;
  std::vector<std::byte> window_;
};

}  // namespace molgauge::io
