#include "molecules/encoders/minimol/torch_encoder.h"

#include <algorithm>

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include "base/numerics/torch/arrays.h"
#include "base/numerics/torch/operator_threads.h"
#include "base/numerics/torch/torch_compatibility.h"
#include "molecules/encoders/minimol/network_definition.h"
#include "molecules/encoders/minimol/parameters.h"

namespace molgauge::encoders::minimol {

template class Network<torch::Operators>;

BatchOf<torch::Operators> on_device(const Batch& batch, c10::Device device) {
  return {.feat = torch::on_device(batch.feat, device),
          .laplacian_eigval = torch::on_device(batch.laplacian_eigval, device),
          .laplacian_eigvec = torch::on_device(batch.laplacian_eigvec, device),
          .rw_return_probs = torch::on_device(batch.rw_return_probs, device),
          .edge_kinds = torch::on_device(batch.edge_kinds, device),
          .edges = torch::on_device(batch.edges, device),
          .molecules = torch::on_device(batch.molecules, device),
          .pool_factor = torch::on_device(batch.pool_factor, device)};
}

TorchMinimolEncoder::TorchMinimolEncoder(const io::TensorMap& tensors, c10::Device device,
                                         std::string weights_sha256, ops::Precision precision)
    : MinimolEncoder(std::move(weights_sha256), precision),
      device_(device),
      network_(
          [&](const std::string& name, const std::vector<std::int64_t>&) {
            const at::Tensor parameter = torch::as_tensor(to_floats(tensors.at(name))).to(device);
            parameter_bytes_ += parameter.nbytes();
            return parameter;
          },
          precision) {}

void TorchMinimolEncoder::compute(const Batch& batch, std::span<float> rows) const {
  torch::join_operator_threads();
  const c10::InferenceMode no_gradients;
  const at::Tensor fingerprints = network_.forward(on_device(batch, device_)).cpu().contiguous();
  std::copy_n(torch::read_numbers<float>(fingerprints), rows.size(), rows.data());
}

}  // namespace molgauge::encoders::minimol
