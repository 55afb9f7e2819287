#pragma once

#include <memory>

#include <c10/core/Device.h>

#include "base/numerics/torch/operators.h"
#include "molecules/encoders/minimol/minimol_encoder.h"

namespace molgauge::encoders::minimol {

/// The network on LibTorch tensors (torch_encoder.cpp).
extern template class Network<torch::Operators>;

/// Copies a batch to a device in one copy operation.
BatchOf<torch::Operators> on_device(const Batch& batch, c10::Device device);

/// MiniMol with LibTorch operators: on a GPU, or on the CPU to plan GPU memory.
class TorchMinimolEncoder final : public MinimolEncoder {
 public:
  /// Takes the arguments of CpuMinimolEncoder. Does not support int8.
  TorchMinimolEncoder(const io::TensorMap& tensors, c10::Device device, std::string weights_sha256,
                      ops::Precision precision = ops::Precision::fp32);

  bool is_on_gpu() const override { return device_.is_cuda(); }
  std::uint64_t parameter_bytes() const override { return parameter_bytes_; }

 private:
  void compute(const Batch& batch, std::span<float> rows) const override;

  c10::Device device_;
  std::uint64_t parameter_bytes_ = 0;  ///< bytes that were counted while the network was created
  Network<torch::Operators> network_;
};

}  // namespace molgauge::encoders::minimol
