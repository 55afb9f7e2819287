#include "molecules/ood/head/energy_head.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <ATen/CPUGeneratorImpl.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/custom_function.h>

#include "base/core/error.h"
#include "base/numerics/torch/arrays.h"
#include "base/numerics/torch/kernel_choice.h"
#include "base/numerics/torch/perceptron_kernels.h"

namespace molgauge::ood {
namespace {

/// Outputs and inputs of the three layers.
std::array<std::array<std::int64_t, 2>, 3> layer_shapes(std::int64_t feature_width, std::int64_t hidden) {
  return {{{hidden, feature_width}, {hidden / 2, hidden}, {1, hidden / 2}}};
}

std::string layer_name(std::size_t index) { return "fc" + std::to_string(index + 1); }

at::Tensor activate(const at::Tensor& input, const at::Tensor& mask) {
  const at::Tensor activations = at::relu(input);
  return mask.defined() ? activations * mask.to(activations.scalar_type()) : activations;
}

at::Tensor layer(const std::vector<train::Parameter>& parameters, std::size_t index,
                 const at::Tensor& input) {
  const at::ScalarType precision = input.scalar_type();
  return at::linear(input, parameters[2 * index].value.to(precision),
                    parameters[2 * index + 1].value.to(precision));
}

using ::torch::autograd::AutogradContext;
using Tensors = ::torch::autograd::variable_list;

/// The energies of a head in float32 with our kernels: forward and backward pass take few launches.
class EnergiesByKernels : public ::torch::autograd::Function<EnergiesByKernels> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& features, const at::Tensor& weight1,
                            const at::Tensor& bias1, const at::Tensor& weight2, const at::Tensor& bias2,
                            const at::Tensor& weight3, const at::Tensor& bias3, const DropoutMasks& masks) {
    const at::Tensor first = torch::masked_relu(at::linear(features, weight1, bias1), masks.first);
    const at::Tensor second = torch::masked_relu(at::linear(first, weight2, bias2), masks.second);
    context->save_for_backward(
        {features, weight1, weight2, weight3, first, second, masks.first, masks.second});
    context->saved_data["features"] = features.requires_grad();
    return at::linear(second, weight3, bias3).squeeze(1);
  }

  static Tensors backward(AutogradContext* context, const Tensors& gradients) {
    const Tensors saved = context->get_saved_variables();
    const at::Tensor &features = saved[0], &first = saved[4], &second = saved[5];
    const at::Tensor of_energies = gradients[0].contiguous().unsqueeze(1);
    const at::Tensor of_second =
        torch::masked_relu_backward_of_product(of_energies, saved[3].contiguous(), second, saved[7]);
    const at::Tensor of_first = torch::masked_relu_backward(of_second.mm(saved[2]), first, saved[6]);
    const std::vector<at::Tensor> of_biases = torch::column_sums({of_first, of_second, of_energies});
    return {context->saved_data["features"].toBool() ? of_first.mm(saved[1]) : at::Tensor(),
            of_first.t().mm(features),
            of_biases[0],
            of_second.t().mm(first),
            of_biases[1],
            of_energies.t().mm(second),
            of_biases[2],
            at::Tensor()};
  }
};

}  // namespace

at::Tensor head_energies(const std::vector<train::Parameter>& parameters, const at::Tensor& features,
                         const DropoutMasks& masks, at::ScalarType precision) {
  if (precision == at::kFloat && features.scalar_type() == at::kFloat &&
      torch::uses_kernels(features.device())) {
    const auto value = [&](std::size_t index) { return parameters[index].value; };
    return EnergiesByKernels::apply(features, value(0), value(1), value(2), value(3), value(4), value(5),
                                    masks);
  }
  const at::Tensor first = activate(layer(parameters, 0, features.to(precision)), masks.first);
  const at::Tensor second = activate(layer(parameters, 1, first), masks.second);
  return layer(parameters, 2, second).squeeze(1).to(at::kFloat);
}

EnergyHead::EnergyHead(std::vector<train::Parameter> parameters) : parameters_(std::move(parameters)) {
  for (train::Parameter& parameter : parameters_) {
    parameter.value.requires_grad_(true);
  }
}

EnergyHead::EnergyHead(std::int64_t feature_width, std::int64_t hidden, std::uint64_t seed) {
  if (feature_width < 1 || hidden < 2 || hidden % 2 != 0) {
    throw UsageError("the hidden width of the energy head must be even and at least 2, not " +
                     std::to_string(hidden));
  }
  at::Generator generator = at::detail::createCPUGenerator(seed);
  const auto shapes = layer_shapes(feature_width, hidden);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const double bound = 1.0 / std::sqrt(static_cast<double>(shapes[i][1]));
    const auto draw = [&](at::IntArrayRef shape) {
      return at::empty(shape, at::kFloat).uniform_(-bound, bound, generator).requires_grad_(true);
    };
    parameters_.push_back({layer_name(i) + ".weight", draw(shapes[i])});
    parameters_.push_back({layer_name(i) + ".bias", draw(shapes[i][0])});
  }
}

EnergyHead::EnergyHead(const HeadWeights& weights) {
  for (std::size_t i = 0; i < weights.layers.size(); ++i) {
    const auto copy = [](const ops::Floats& numbers) {
      return torch::as_tensor(numbers).clone().requires_grad_(true);
    };
    parameters_.push_back({layer_name(i) + ".weight", copy(weights.layers[i].weight)});
    parameters_.push_back({layer_name(i) + ".bias", copy(weights.layers[i].bias)});
  }
}

HeadWeights EnergyHead::weights() const {
  const auto copy = [&](std::size_t parameter) {
    const at::Tensor numbers = parameters_[parameter].value.detach().to(at::kCPU).contiguous();
    ops::Floats floats(numbers.sizes().vec());
    std::copy_n(numbers.data_ptr<float>(), numbers.numel(), floats.data());
    return floats;
  };
  HeadWeights weights;
  for (std::size_t i = 0; i < weights.layers.size(); ++i) {
    weights.layers[i] = {.weight = copy(2 * i), .bias = copy(2 * i + 1)};
  }
  return weights;
}

void EnergyHead::to(at::Device device) {
  for (train::Parameter& parameter : parameters_) {
    parameter.value = parameter.value.detach().to(device).requires_grad_(true);
  }
}

std::int64_t EnergyHead::feature_width() const { return parameters_[0].value.size(1); }
std::int64_t EnergyHead::hidden_width() const { return parameters_[0].value.size(0); }

at::Tensor EnergyHead::forward(const at::Tensor& features, const DropoutMasks& masks,
                               at::ScalarType precision) const {
  return head_energies(parameters_, features, masks, precision);
}

DropoutMasks EnergyHead::draw_masks(std::int64_t rows, double probability, at::Generator& generator) const {
  if (probability <= 0) {
    return {};
  }
  const double kept = 1.0 - probability;
  const at::TensorOptions options = parameters_[0].value.options().requires_grad(false);
  if (torch::uses_kernels(options.device())) {
    // A few launches draw both masks.
    const std::vector<std::int64_t> widths = {hidden_width(), hidden_width() / 2};
    const std::vector<at::Tensor> both = at::empty({rows, widths[0] + widths[1]}, options)
                                             .bernoulli_(kept, generator)
                                             .div_(kept)
                                             .split_with_sizes(widths, 1);
    return {both[0], both[1]};
  }
  const auto draw = [&](std::int64_t width) {
    const at::Tensor uniform = at::empty({rows, width}, options);
    return uniform.uniform_(0, 1, generator).lt_(kept).div_(kept);
  };
  const at::Tensor first = draw(hidden_width());
  return {first, draw(hidden_width() / 2)};
}

EnergyHead EnergyHead::copy() const {
  std::vector<train::Parameter> copies;
  for (const auto& [name, value] : parameters_) {
    copies.push_back({name, value.detach().clone()});
  }
  return EnergyHead(std::move(copies));
}

}  // namespace molgauge::ood
