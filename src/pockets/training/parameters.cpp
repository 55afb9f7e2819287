#include "pockets/training/parameters.h"

#include <cmath>
#include <map>
#include <span>
#include <string>

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include "base/core/hash.h"
#include "base/numerics/ops/training/keyed_numbers.h"
#include "base/numerics/torch/arrays.h"

namespace molgauge::pocket {
namespace {

constexpr double kPathWeight = 0.333;

bool ends_with(const std::string& name, const char* end) { return name.ends_with(end); }

/// Returns whether a parameter belongs to a normalisation. Its shape [width] does not show this, because
/// linear layers of irreps have such shapes, too. Normalisations in perceptrons are recognised by their
/// indices.
bool is_norm(const std::string& name) {
  return name.find("norm") != std::string::npos || ends_with(name, "feature_mlp.2.weight") ||
         ends_with(name, "feature_mlp.5.weight") || ends_with(name, "feature_mlp.2.bias") ||
         ends_with(name, "feature_mlp.5.bias") || name.starts_with("output_projection.1.");
}

at::Tensor draw(const std::string& name, const std::vector<std::int64_t>& shape, std::int64_t inputs,
                std::uint64_t seed) {
  if (shape.empty()) {
    return at::full({}, kPathWeight);
  }
  if (is_norm(name)) {
    return ends_with(name, ".bias") ? at::zeros(shape) : at::ones(shape);
  }
  const std::uint64_t key = ops::keyed_number(ops::mix(seed), checksum64(std::as_bytes(std::span(name))));
  at::Generator generator = at::detail::createCPUGenerator(key);
  const bool is_linear = shape.size() == 2 && !ends_with(name, "queries");
  if (!is_linear && !ends_with(name, ".bias")) {
    return at::empty(shape).normal_(0, 1, generator);
  }
  const double bound = 1 / std::sqrt(static_cast<double>(is_linear ? shape[1] : inputs));
  return at::empty(shape).uniform_(-bound, bound, generator);
}

using Values = std::map<std::string, at::Tensor>;

Values by_name(const std::vector<train::Parameter>& parameters) {
  Values values;
  for (const auto& [name, value] : parameters) {
    values.emplace(name, value);
  }
  return values;
}

}  // namespace

std::vector<train::Parameter> draw_parameters(const EncoderShape& shape, std::uint64_t seed) {
  std::vector<train::Parameter> parameters;
  std::int64_t inputs = 1;  // number of inputs of the last weight. The bias after this weight is drawn from a
                            // range that depends on it
  const Encoder<TensorOperators> encoder(shape, [&](const std::string& name, const auto& sizes) {
    inputs = sizes.size() == 2 ? sizes[1] : inputs;
    parameters.push_back({name, draw(name, sizes, inputs, seed).requires_grad_(true)});
    return parameters.back().value;
  });
  return parameters;
}

Encoder<TensorOperators> tensor_encoder(const EncoderShape& shape,
                                        const std::vector<train::Parameter>& parameters) {
  const Values values = by_name(parameters);
  return {shape, [&](const std::string& name, const auto&) { return values.at(name); }};
}

Encoder<ArrayOperators> array_encoder(const EncoderShape& shape,
                                      const std::vector<train::Parameter>& parameters) {
  const Values values = by_name(parameters);
  return {shape, [&](const std::string& name, const auto&) {
            const at::Tensor value = values.at(name).detach();
            return torch::as_array(value.dim() == 0 ? value.view({1}) : value);
          }};
}

}  // namespace molgauge::pocket
