#include "pockets/tensor_encoder.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include "base/numerics/torch/arrays.h"
#include "base/numerics/torch/message_kernels.h"
#include "pockets/tensor_operators.h"

namespace molgauge::pocket {

PocketEncoder make_tensor_encoder(const EncoderShape& shape, const ParameterReader& read,
                                  c10::Device device) {
  const c10::NoGradGuard no_gradients;
  const auto encoder = std::make_shared<const Encoder<TensorOperators>>(
      shape, [&](const std::string& name, const std::vector<std::int64_t>& sizes) {
        return torch::on_device(read(name, sizes), device).view(sizes);
      });
  return [encoder, device](const Batch& batch) {
    const c10::NoGradGuard none;
    const at::Tensor rows = encoder->forward(as_tensors(batch, device)).to(c10::kCPU).contiguous();
    ops::Floats kept{rows.size(0), rows.size(1)};
    const ops::Floats shared = torch::as_array(rows);
    std::copy_n(shared.data(), shared.count(), kept.data());
    return kept;
  };
}

std::uint64_t device_bytes_of_messages(std::int64_t atoms, std::int64_t edges) {
  return torch::bytes_of_message_steps(atoms, edges);
}

}  // namespace molgauge::pocket
