#include "base/io/tensors/tensor_data.h"

#include <bit>
#include <cstddef>
#include <functional>
#include <numeric>

#include "base/io/bytes/little_endian.h"
#include "base/io/tensors/half_float.h"

namespace molgauge::io {
namespace {

float widen_bfloat(std::uint16_t bfloat) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bfloat) << 16);
}

template <typename Number, typename Convert>
std::vector<float> convert(const std::vector<std::byte>& bytes, Convert to_float) {
  std::vector<float> numbers(bytes.size() / sizeof(Number));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = to_float(load_little_endian<Number>(bytes.data() + i * sizeof(Number)));
  }
  return numbers;
}

template <typename Number>
std::vector<float> cast(const std::vector<std::byte>& bytes) {
  return convert<Number>(bytes, [](Number number) { return static_cast<float>(number); });
}

}  // namespace

std::size_t element_size(DataType type) {
  switch (type) {
    case DataType::int8:
    case DataType::uint8:
    case DataType::boolean:
      return 1;
    case DataType::float16:
    case DataType::bfloat16:
    case DataType::int16:
      return 2;
    case DataType::float32:
    case DataType::int32:
      return 4;
    case DataType::float64:
    case DataType::int64:
      return 8;
  }
  return 0;
}

std::string to_string(DataType type) {
  switch (type) {
    case DataType::float16:
      return "float16";
    case DataType::bfloat16:
      return "bfloat16";
    case DataType::float32:
      return "float32";
    case DataType::float64:
      return "float64";
    case DataType::int8:
      return "int8";
    case DataType::uint8:
      return "uint8";
    case DataType::int16:
      return "int16";
    case DataType::int32:
      return "int32";
    case DataType::int64:
      return "int64";
    case DataType::boolean:
      return "boolean";
  }
  return "unknown";
}

std::int64_t TensorData::element_count() const {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

std::vector<float> TensorData::to_float32() const {
  switch (type) {
    case DataType::float16:
      return convert<std::uint16_t>(bytes, widen_half);
    case DataType::bfloat16:
      return convert<std::uint16_t>(bytes, widen_bfloat);
    case DataType::float32:
      return cast<float>(bytes);
    case DataType::float64:
      return cast<double>(bytes);
    case DataType::int8:
      return cast<std::int8_t>(bytes);
    case DataType::uint8:
      return cast<std::uint8_t>(bytes);
    case DataType::int16:
      return cast<std::int16_t>(bytes);
    case DataType::int32:
      return cast<std::int32_t>(bytes);
    case DataType::int64:
      return cast<std::int64_t>(bytes);
    case DataType::boolean:
      return convert<std::uint8_t>(bytes, [](std::uint8_t byte) { return byte != 0 ? 1.0f : 0.0f; });
  }
  return {};
}

TensorData TensorData::from_float32(std::vector<std::int64_t> shape, const float* numbers) {
  TensorData tensor{DataType::float32, std::move(shape), {}};
  const auto* first = reinterpret_cast<const std::byte*>(numbers);
  tensor.bytes.assign(first, first + sizeof(float) * static_cast<std::size_t>(tensor.element_count()));
  return tensor;
}

}  // namespace molgauge::io
