#include "molecules/store/features/stored_row.h"

#include <array>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "molecules/store/tables/stored_value.h"
#include "rows.h"

namespace molgauge::store {
namespace {

using testing::Each;
using testing::ElementsAre;

std::vector<std::byte> packed(const Hash128& key, const std::vector<float>& row) {
  std::vector<std::byte> value;
  pack_row(key, row, value);
  return value;
}

TEST(StoredRow, ComesBackAsItWas) {
  const Hash128 key = test::key_of(1);
  std::vector<float> row(3);
  EXPECT_EQ(unpack_row(key, packed(key, {1.5F, -0.0F, 3e38F}), row), RowState::whole);
  EXPECT_THAT(row, ElementsAre(1.5F, -0.0F, 3e38F));
}

TEST(StoredRow, LiesAsTheFormatSays) {
  const Hash128 key = test::key_of(1);
  const auto value = packed(key, {1.0F, -2.0F});
  ASSERT_EQ(value.size(), stored_size(ContentType::float32, 2));
  ASSERT_EQ(value.size(), 24U);
  const std::array<std::uint8_t, 16> expected = {1, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0};
  EXPECT_EQ(std::memcmp(value.data(), expected.data(), expected.size()), 0);

  std::vector<std::byte> covered(key.size() + expected.size());
  std::memcpy(covered.data(), key.data(), key.size());
  std::memcpy(covered.data() + key.size(), expected.data(), expected.size());
  const std::uint64_t checksum = checksum64(covered);
  EXPECT_EQ(std::memcmp(value.data() + expected.size(), &checksum, sizeof(checksum)), 0);
}

TEST(StoredRow, AnyTurnedBitIsNoticedAndTheRowLeftAlone) {
  const Hash128 key = test::key_of(1);
  const auto whole = packed(key, {1.0F, 2.0F, 3.0F});
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    auto damaged = whole;
    damaged[bit / 8] ^= std::byte{1} << bit % 8;
    std::vector<float> row(3, -1.0F);
    EXPECT_NE(unpack_row(key, damaged, row), RowState::whole) << "bit " << bit;
    EXPECT_THAT(row, Each(-1.0F)) << "bit " << bit;
  }
}

TEST(StoredRow, AnyOtherLengthIsNoticed) {
  const Hash128 key = test::key_of(1);
  auto value = packed(key, {1.0F, 2.0F, 3.0F});
  value.resize(2 * value.size());
  std::vector<float> row(3, -1.0F);
  for (std::size_t length = 0; length <= value.size(); ++length) {
    if (length != stored_size(ContentType::float32, 3)) {
      EXPECT_NE(unpack_row(key, std::span(value).first(length), row), RowState::whole) << length << " bytes";
    }
  }
  EXPECT_THAT(row, Each(-1.0F));
}

TEST(StoredRow, BelongsToItsKey) {
  std::vector<float> row(1);
  EXPECT_EQ(unpack_row(test::key_of(2), packed(test::key_of(1), {1.0F}), row), RowState::damaged);
}

TEST(StoredRow, AnotherWidthIsToldFromDamage) {
  const Hash128 key = test::key_of(1);
  const auto value = packed(key, {1.0F, 2.0F});
  std::vector<float> row(3, -1.0F);
  EXPECT_EQ(unpack_row(key, value, row), RowState::wrong_width);
  row.resize(1);
  EXPECT_EQ(unpack_row(key, value, row), RowState::wrong_width);
  EXPECT_THAT(row, Each(-1.0F));
}

TEST(StoredRow, PacksIntoMemoryThatWasUsedBefore) {
  const Hash128 key = test::key_of(1);
  auto value = packed(key, {1.0F, 2.0F, 3.0F});
  pack_row(key, std::vector{4.0F}, value);
  EXPECT_EQ(value, packed(key, {4.0F}));
}

}  // namespace
}  // namespace molgauge::store
