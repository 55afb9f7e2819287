#pragma once

#include <c10/core/Device.h>

#include "molecules/encoders/unimol/tensor_operators.h"
#include "molecules/encoders/unimol/unimol_encoder.h"

namespace molgauge::encoders::unimol {

/// Uni-Mol with LibTorch operators: on a GPU, or on the CPU to plan GPU memory. The plans are upper bounds,
/// because the GPU kernels need less.
class TorchUnimolEncoder final : public UnimolEncoder {
 public:
  /// Takes the arguments of UnimolEncoder and a device. Does not support int8.
  TorchUnimolEncoder(const io::TensorMap& tensors, c10::Device device, UnimolOrigin origin,
                     UnimolChoice choice = {});

  bool is_on_gpu() const override { return device_.is_cuda(); }
  std::uint64_t parameter_bytes() const override { return parameter_bytes_; }

 private:
  Outputs<ops::Floats> compute(const Batch& batch, Wanted wanted) const override;

  c10::Device device_;
  std::uint64_t parameter_bytes_ = 0;  ///< bytes counted while the network is created
  Network<TensorOperators> tensor_network_;
};

}  // namespace molgauge::encoders::unimol
