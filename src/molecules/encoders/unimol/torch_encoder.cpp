#include "molecules/encoders/unimol/torch_encoder.h"

#include <algorithm>
#include <utility>

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include "base/numerics/torch/arrays.h"
#include "base/numerics/torch/autocast.h"
#include "base/numerics/torch/operator_threads.h"
#include "base/numerics/torch/tensor_files.h"

namespace molgauge::encoders::unimol {
namespace {

ops::Floats to_floats(const at::Tensor& tensor) {
  if (!tensor.defined()) {
    return {};
  }
  const at::Tensor here = tensor.to(at::kCPU).to(at::kFloat).contiguous();
  const ops::Floats shared = torch::as_array(here);
  ops::Floats kept(shared.shape());
  std::copy_n(shared.data(), shared.count(), kept.data());
  return kept;
}

}  // namespace

TorchUnimolEncoder::TorchUnimolEncoder(const io::TensorMap& tensors, c10::Device device, UnimolOrigin origin,
                                       UnimolChoice choice)
    : UnimolEncoder({}, std::move(origin), choice, shape_of(tensors, "the weights of Uni-Mol")),
      device_(device),
      tensor_network_(
          shape_of(tensors, "the weights of Uni-Mol"),
          [&](const std::string& name, const std::vector<std::int64_t>&) {
            const at::Tensor parameter = torch::from_file(tensors.at(name)).to(device);
            parameter_bytes_ += parameter.nbytes();
            return parameter;
          },
          choice.precision) {}

Outputs<ops::Floats> TorchUnimolEncoder::compute(const Batch& batch, Wanted wanted) const {
  torch::join_operator_threads();
  const c10::InferenceMode no_gradients;
  const torch::Tf32Products products(precision() == ops::Precision::tf32);
  const Outputs<at::Tensor> outputs = tensor_network_.forward(as_tensors(batch, device_), wanted);
  const bool has_pairs = wanted == Wanted::everything || wanted == Wanted::memory_of_everything;
  return {to_floats(outputs.tokens), has_pairs ? to_floats(outputs.pairs) : ops::Floats()};
}

}  // namespace molgauge::encoders::unimol
