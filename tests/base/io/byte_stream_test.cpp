#include "base/io/bytes/byte_stream.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "base/core/error.h"

namespace molgauge::io {
namespace {

/// A source that returns a text in small pieces of a few bytes.
class Trickle final : public ByteSource {
 public:
  explicit Trickle(std::string text) : text_(std::move(text)) {}
  std::size_t read(std::span<char> target) override {
    const std::size_t count = std::min({target.size(), std::size_t{3}, text_.size() - position_});
    std::copy_n(text_.data() + position_, count, target.data());
    position_ += count;
    return count;
  }

 private:
  std::string text_;
  std::size_t position_ = 0;
};

TEST(ByteStream, TakesPiecesOfAnySizeAndKnowsWhereItIs) {
  Trickle source("abcdefghij");
  ByteStream stream(source);
  EXPECT_EQ(stream.take(1), "a");
  EXPECT_EQ(stream.peek(4), "bcde");
  EXPECT_EQ(stream.position(), 1U);
  EXPECT_EQ(stream.take(8), "bcdefghi");
  EXPECT_FALSE(stream.at_end());
  EXPECT_EQ(stream.peek(5), "j");
  EXPECT_EQ(stream.number<std::uint8_t>(), 'j');
  EXPECT_TRUE(stream.at_end());
  EXPECT_EQ(stream.position(), 10U);
}

TEST(ByteStream, MovesThroughMoreThanItsBuffer) {
  std::string text(3 << 20, 'x');
  text += "end";
  Trickle source(text);
  ByteStream stream(source);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(stream.take(1 << 20).size(), std::size_t{1} << 20);
  }
  EXPECT_EQ(stream.take(3), "end");
}

TEST(ByteStream, RefusesWhatIsNotThereOrTooMuch) {
  Trickle source("abc");
  ByteStream stream(source);
  EXPECT_THROW(stream.take(std::uint64_t{1} << 40), InputError);
  EXPECT_THROW(stream.take(3, 2), InputError);
  EXPECT_THROW(stream.take(4), InputError);
  EXPECT_EQ(stream.take(3), "abc") << "refused bytes are not consumed";
}

}  // namespace
}  // namespace molgauge::io
