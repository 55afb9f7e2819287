#include "base/train/parameters.h"

#include <cmath>
#include <set>
#include <utility>

#include <c10/core/GradMode.h>

#include "base/core/error.h"
#include "base/numerics/torch/kernel_choice.h"
#include "base/numerics/torch/optimizer_by_steps.h"
#include "base/numerics/torch/tensor_files.h"
#include "base/numerics/torch/torch_compatibility.h"
#include "base/train/optimizer.h"

namespace molgauge::train {

Parameters::Parameters(std::vector<ParameterGroup> groups) : groups_(std::move(groups)) {
  std::set<std::string> names;
  for (const ParameterGroup& group : groups_) {
    for (const auto& [name, value] : group.parameters) {
      if (!names.insert(name).second) {
        throw Error("two parameters of a model are called '" + name + "'");
      }
      if (group.options.frozen && value.requires_grad()) {
        value.requires_grad_(false);
        value.mutable_grad() = at::Tensor();
      }
    }
  }
}

std::vector<Parameter> Parameters::all() const {
  std::vector<Parameter> all;
  for (const ParameterGroup& group : groups_) {
    all.insert(all.end(), group.parameters.begin(), group.parameters.end());
  }
  return all;
}

std::uint64_t Parameters::bytes() const {
  std::uint64_t bytes = 0;
  for (const Parameter& parameter : all()) {
    bytes += parameter.value.nbytes();
  }
  return bytes;
}

std::uint64_t Parameters::trained_bytes() const {
  std::uint64_t bytes = 0;
  for_each_trained(
      [&](const ParameterGroup&, const Parameter& parameter) { bytes += parameter.value.nbytes(); });
  return bytes;
}

void Parameters::save(io::TensorMap& tensors, const std::string& prefix) const {
  for (const auto& [name, value] : all()) {
    tensors[prefix + name] = torch::to_file(value);
  }
}

void Parameters::restore(const io::TensorMap& tensors, const std::string& prefix,
                         const std::string& source) const {
  const c10::NoGradGuard no_gradient;
  for (const auto& [name, value] : all()) {
    value.copy_(torch::take_tensor(tensors, prefix + name, value.sizes(), source));
  }
}

void Optimizer::save(io::TensorMap& /*tensors*/) const { throw Error("this optimizer keeps no checkpoints"); }

void Optimizer::restore(const io::TensorMap& /*tensors*/, std::int64_t /*steps*/,
                        const std::string& /*source*/) {
  throw Error("this optimizer reads no checkpoints");
}

namespace {

/// Returns sums of squares, float64, which together contain all gradients.
at::Tensor squares_of(const std::vector<at::Tensor>& gradients) {
  if (torch::uses_kernels(gradients.front().device()) && gradients.front().scalar_type() == at::kFloat) {
    std::vector<at::Tensor> arrays;
    for (const at::Tensor& gradient : gradients) {
      arrays.push_back(gradient.contiguous());
    }
    return torch::square_sums(arrays);
  }
  std::vector<at::Tensor> squares;
  for (const at::Tensor& gradient : gradients) {
    // First sums each row. The sum over a whole large tensor would depend on the number of threads, but the
    // sum over a row does not.
    squares.push_back(gradient.square().sum(-1, false, at::kDouble).sum());
  }
  return at::stack(squares);
}

}  // namespace

double clip_gradients(const Parameters& parameters, const Clipping& clipping) {
  const c10::NoGradGuard no_gradient;
  std::vector<at::Tensor> gradients;
  parameters.for_each_trained([&](const ParameterGroup&, const Parameter& parameter) {
    const at::Tensor gradient = parameter.value.grad();
    if (clipping.value > 0) {
      gradient.clamp_(-clipping.value, clipping.value);
    }
    gradients.push_back(gradient);
  });
  if (gradients.empty()) {
    return 0;
  }
  // The squares are copied from the device in one call, because each call makes the host wait. They are
  // summed in the order of the parameters.
  const at::Tensor here = squares_of(gradients).to(at::kCPU);
  double square = 0;
  for (std::int64_t i = 0; i < here.size(0); ++i) {
    square += torch::read_numbers<double>(here)[i];
  }
  const double norm = std::sqrt(square);
  const double factor = clipping.norm / (norm + 1e-6);
  if (clipping.norm > 0 && factor < 1) {
    at::_foreach_mul_(gradients, factor);
  }
  return norm;
}

}  // namespace molgauge::train
