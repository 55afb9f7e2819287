#pragma once

#include <algorithm>
#include <string>

#include "base/io/bytes/byte_source.h"

namespace molgauge::allocator::test {

/// Bytes in memory, returned in small pieces.
class TextSource final : public io::ByteSource {
 public:
  explicit TextSource(std::string text, std::size_t piece = 1000) : text_(std::move(text)), piece_(piece) {}
  std::size_t read(std::span<char> target) override {
    const std::size_t count = std::min({target.size(), piece_, text_.size() - position_});
    std::copy_n(text_.data() + position_, count, target.data());
    position_ += count;
    return count;
  }

 private:
  std::string text_;
  std::size_t piece_, position_ = 0;
};

}  // namespace molgauge::allocator::test
