#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/io/bytes/byte_source.h"
#include "base/io/bytes/little_endian.h"

namespace molgauge::io {

/// Reads a ByteSource piece by piece in bounded memory and tracks the position. If a read fails, throws
/// InputError that contains only the reason. The caller adds file and position.
class ByteStream {
 public:
  /// `source` must outlive the stream.
  explicit ByteStream(ByteSource& source) : source_(source) {}

  /// Number of bytes taken so far. If the source unpacks, unpacked bytes are counted.
  std::uint64_t position() const { return position_; }
  bool at_end();

  /// Takes exactly `count` bytes, valid until the next call. If `count` exceeds `most`, throws before
  /// anything is read.
  std::string_view take(std::uint64_t count, std::uint64_t most = kMax) {
    if (count > most || count > ready()) {
      make_ready(count, most);
    }
    const std::string_view taken(buffer_.data() + start_, static_cast<std::size_t>(count));
    start_ += taken.size();
    position_ += taken.size();
    return taken;
  }
  /// Returns the next `count` bytes without taking them. Near the end, returns fewer bytes.
  std::string_view peek(std::size_t count);

  template <typename Number>
  Number number() {
    return load_little_endian<Number>(reinterpret_cast<const std::byte*>(take(sizeof(Number)).data()));
  }

 private:
  static constexpr std::uint64_t kMax = std::uint64_t{64} << 20;
  static constexpr std::size_t kPiece = std::size_t{1} << 20;
  /// Reads until `count` bytes are in the buffer. Throws if `count` exceeds `most` or the source ends early.
  void make_ready(std::uint64_t count, std::uint64_t most);
  /// Reads until `count` bytes are in the buffer or the source ends.
  void fill(std::size_t count);
  std::size_t ready() const { return end_ - start_; }

  ByteSource& source_;
  std::string buffer_;
  std::size_t start_ = 0, end_ = 0;
  std::uint64_t position_ = 0;
};

}  // namespace molgauge::io
