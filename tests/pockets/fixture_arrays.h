#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "base/io/tensors/tensor_data.h"
#include "base/numerics/ops/array.h"

namespace molgauge::test {

/// Numbers of a fixture in float32. A single number has the shape {1}.
inline ops::Floats floats_in(const io::TensorMap& tensors, const std::string& name) {
  const io::TensorData& tensor = tensors.at(name);
  const std::vector<float> numbers = tensor.to_float32();
  ops::Floats array(tensor.shape.empty() ? std::vector<std::int64_t>{1} : tensor.shape);
  std::copy(numbers.begin(), numbers.end(), array.data());
  return array;
}

/// int64 numbers of a fixture.
inline ops::Integers integers_in(const io::TensorMap& tensors, const std::string& name) {
  const io::TensorData& tensor = tensors.at(name);
  ops::Integers array(tensor.shape);
  if (!tensor.bytes.empty()) {
    std::memcpy(array.data(), tensor.bytes.data(), tensor.bytes.size());
  }
  return array;
}

}  // namespace molgauge::test
