#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace molgauge::io {

enum class DataType { float16, bfloat16, float32, float64, int8, uint8, int16, int32, int64, boolean };

/// Bytes of one element.
std::size_t element_size(DataType type);
/// Returns a name such as "float32", for messages.
std::string to_string(DataType type);

/// A tensor as a file stores it: row-major and little-endian. It owns its bytes.
struct TensorData {
  DataType type = DataType::float32;
  std::vector<std::int64_t> shape;  ///< empty for a scalar
  std::vector<std::byte> bytes;     ///< element_size(type) * product of shape

  std::int64_t element_count() const;
  /// The numbers as float32 (float16, bfloat16 and integers are widened, float64 is rounded).
  std::vector<float> to_float32() const;

  static TensorData from_float32(std::vector<std::int64_t> shape, const float* numbers);
};

/// The tensors of a file by name.
using TensorMap = std::map<std::string, TensorData>;

}  // namespace molgauge::io
