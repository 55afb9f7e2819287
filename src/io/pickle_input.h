#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/error.h"
#include "io/little_endian.h"

namespace headroom::io {

/// The bytes of a pickle, one piece after another. Throws InputError with the reason alone; the reader knows
/// where.
class PickleInput {
 public:
  explicit PickleInput(std::span<const std::byte> bytes)
      : text_(reinterpret_cast<const char*>(bytes.data()), bytes.size()) {}

  std::size_t position() const { return position_; }

  /// Are there this many bytes more?
  void require(std::uint64_t count) const {
    if (count > text_.size() - position_) {
      throw InputError("the pickle ends too early; the file is truncated or damaged");
    }
  }

  std::string_view take(std::uint64_t count) {
    require(count);
    const std::string_view taken = text_.substr(position_, static_cast<std::size_t>(count));
    position_ += taken.size();
    return taken;
  }

  template <typename Number>
  Number number() {
    return load_little_endian<Number>(reinterpret_cast<const std::byte*>(take(sizeof(Number)).data()));
  }

  /// Text that follows its length.
  template <typename Length>
  std::string text() {
    return std::string(take(number<Length>()));
  }

  /// Text up to a line feed, which is passed over.
  std::string line() {
    const std::size_t feed = text_.find('\n', position_);
    const std::string_view taken = take(feed == std::string_view::npos ? feed : feed + 1 - position_);
    return std::string(taken.substr(0, taken.size() - 1));
  }

 private:
  std::string_view text_;
  std::size_t position_ = 0;
};

}  // namespace headroom::io
