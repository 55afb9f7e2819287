#include "base/numerics/torch/tensor_files.h"

#include <cstring>
#include <sstream>

#include "base/core/error.h"

namespace molgauge::torch {

io::TensorData to_file(const at::Tensor& tensor) {
  const at::Tensor local = tensor.detach().to(at::kCPU).contiguous();
  io::TensorData data;
  data.type = local.scalar_type() == at::kByte ? io::DataType::uint8 : io::DataType::float32;
  TORCH_CHECK(data.type == io::DataType::uint8 || local.scalar_type() == at::kFloat, "float32 or uint8 only");
  data.shape.assign(local.sizes().begin(), local.sizes().end());
  data.bytes.resize(local.nbytes());
  std::memcpy(data.bytes.data(), local.data_ptr(), data.bytes.size());
  return data;
}

at::Tensor from_file(const io::TensorData& data) {
  if (data.type == io::DataType::uint8) {
    at::Tensor tensor = at::empty(data.shape, at::kByte);
    std::memcpy(tensor.data_ptr(), data.bytes.data(), data.bytes.size());
    return tensor;
  }
  at::Tensor tensor = at::empty(data.shape, at::kFloat);
  const std::vector<float> numbers = data.to_float32();
  std::memcpy(tensor.data_ptr(), numbers.data(), numbers.size() * sizeof(float));
  return tensor;
}

at::Tensor take_tensor(const io::TensorMap& tensors, const std::string& name, at::IntArrayRef shape,
                       const std::string& source) {
  const auto found = tensors.find(name);
  if (found == tensors.end()) {
    throw InputError(source + ": tensor '" + name + "' is missing. This is not a file that training wrote");
  }
  if (at::IntArrayRef(found->second.shape) != shape) {
    std::ostringstream text;
    text << source << ": tensor '" << name << "' has shape " << at::IntArrayRef(found->second.shape)
         << " where " << shape << " is needed. Use the width and the hidden width that it was trained with";
    throw InputError(text.str());
  }
  return from_file(found->second);
}

}  // namespace molgauge::torch
