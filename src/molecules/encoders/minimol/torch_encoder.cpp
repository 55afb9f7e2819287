#include "molecules/encoders/minimol/torch_encoder.h"

#include <algorithm>
#include <vector>

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include "base/numerics/torch/arrays.h"
#include "base/numerics/torch/autocast.h"
#include "base/numerics/torch/operator_threads.h"
#include "base/numerics/torch/torch_compatibility.h"
#include "base/numerics/torch/uploads.h"
#include "molecules/encoders/minimol/network_definition.h"
#include "molecules/encoders/minimol/parameters.h"

namespace molgauge::encoders::minimol {

template class Network<torch::Operators>;

namespace {

std::vector<at::Tensor*> arrays_of(BatchOf<torch::Operators>& batch) {
  return {&batch.feat,
          &batch.laplacian_eigval,
          &batch.laplacian_eigvec,
          &batch.rw_return_probs,
          &batch.edge_kinds,
          &batch.edges.source,
          &batch.edges.kind,
          &batch.edges.first,
          &batch.molecules.first,
          &batch.molecules.of,
          &batch.pool_factor};
}

}  // namespace

BatchOf<torch::Operators> on_device(const Batch& batch, c10::Device device) {
  BatchOf<torch::Operators> there{.feat = torch::as_tensor(batch.feat),
                                  .laplacian_eigval = torch::as_tensor(batch.laplacian_eigval),
                                  .laplacian_eigvec = torch::as_tensor(batch.laplacian_eigvec),
                                  .rw_return_probs = torch::as_tensor(batch.rw_return_probs),
                                  .edge_kinds = torch::as_tensor(batch.edge_kinds),
                                  .edges = torch::as_tensors(batch.edges),
                                  .molecules = {.first = torch::as_tensor(batch.molecules.first),
                                                .of = torch::as_tensor(batch.molecules.of)},
                                  .pool_factor = torch::as_tensor(batch.pool_factor)};
  torch::move_together(arrays_of(there), device);
  return there;
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
  const torch::Tf32Products products(precision() == ops::Precision::tf32);
  const at::Tensor fingerprints = network_.forward(on_device(batch, device_)).cpu().contiguous();
  std::copy_n(torch::read_numbers<float>(fingerprints), rows.size(), rows.data());
}

}  // namespace molgauge::encoders::minimol
