#include "base/io/tensors/tensor_data.h"

#include <cmath>
#include <cstring>
#include <limits>

#include <gmock/gmock.h>

#include "base/core/error.h"
#include "base/io/tensors/tensor_size.h"

namespace molgauge::io {
namespace {

template <typename Number>
TensorData tensor_of(DataType type, std::vector<Number> numbers) {
  TensorData tensor{type, {static_cast<std::int64_t>(numbers.size())}, {}};
  tensor.bytes.resize(numbers.size() * sizeof(Number));
  std::memcpy(tensor.bytes.data(), numbers.data(), tensor.bytes.size());
  return tensor;
}

TEST(TensorData, WidensHalves) {
  const auto numbers = tensor_of<std::uint16_t>(DataType::float16, {0x3c00, 0xc000, 0x7bff, 0x0001, 0x8001,
                                                                    0x0400, 0x8000, 0x7c00, 0x7e00})
                           .to_float32();
  EXPECT_EQ(numbers[0], 1.0f);
  EXPECT_EQ(numbers[1], -2.0f);
  EXPECT_EQ(numbers[2], 65504.0f);
  EXPECT_EQ(numbers[3], 0x1p-24f);
  EXPECT_EQ(numbers[4], -0x1p-24f);
  EXPECT_EQ(numbers[5], 0x1p-14f);
  EXPECT_TRUE(std::signbit(numbers[6]));
  EXPECT_EQ(numbers[7], std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(numbers[8]));
}

TEST(TensorData, WidensEveryOtherType) {
  using testing::ElementsAre;
  EXPECT_THAT(tensor_of<std::uint16_t>(DataType::bfloat16, {0x3f80, 0xc040}).to_float32(),
              ElementsAre(1.0f, -3.0f));
  EXPECT_THAT(tensor_of<double>(DataType::float64, {0.1}).to_float32(), ElementsAre(0.1f));
  EXPECT_THAT(tensor_of<std::int8_t>(DataType::int8, {-5}).to_float32(), ElementsAre(-5.0f));
  EXPECT_THAT(tensor_of<std::uint8_t>(DataType::uint8, {200}).to_float32(), ElementsAre(200.0f));
  EXPECT_THAT(tensor_of<std::int16_t>(DataType::int16, {-300}).to_float32(), ElementsAre(-300.0f));
  EXPECT_THAT(tensor_of<std::int32_t>(DataType::int32, {70000}).to_float32(), ElementsAre(70000.0f));
  EXPECT_THAT(tensor_of<std::int64_t>(DataType::int64, {-9}).to_float32(), ElementsAre(-9.0f));
  EXPECT_THAT(tensor_of<std::uint8_t>(DataType::boolean, {0, 1}).to_float32(), ElementsAre(0.0f, 1.0f));
}

TEST(TensorData, ScalarHasOneElement) {
  const float number = 2.5f;
  const TensorData tensor = TensorData::from_float32({}, &number);
  EXPECT_EQ(tensor.element_count(), 1);
  EXPECT_THAT(tensor.to_float32(), testing::ElementsAre(2.5f));
}

TEST(TensorSize, RefusesNegativeAndHugeShapes) {
  const std::vector<std::int64_t> huge = {1LL << 40, 1LL << 40}, negative = {2, -1},
                                  empty = {1LL << 40, 1LL << 40, 0};
  EXPECT_THROW(checked_byte_size(DataType::float32, huge, "x"), InputError);
  EXPECT_THROW(checked_byte_size(DataType::float32, empty, "x"), InputError);
  EXPECT_THROW(checked_byte_size(DataType::float32, negative, "x"), InputError);
  EXPECT_EQ(checked_byte_size(DataType::int64, std::vector<std::int64_t>{2, 3}, "x"), 48u);
}

}  // namespace
}  // namespace molgauge::io
