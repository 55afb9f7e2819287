#include "molecules/ood/head/head_weights.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"

namespace molgauge::ood {
namespace {

constexpr const char* kPrefix = "energy_head.";

std::string layer_name(std::size_t index) { return "fc" + std::to_string(index + 1); }

ops::Floats take(const io::TensorMap& tensors, const std::string& name,
                 const std::vector<std::int64_t>& shape, const std::string& source) {
  const auto found = tensors.find(name);
  if (found == tensors.end()) {
    throw InputError(source + ": tensor '" + name + "' is missing. This file is not from molgauge train");
  }
  if (found->second.shape != shape) {
    throw InputError(fmt::format(
        "{}: tensor '{}' has the shape {}, not {}. Use the width and the hidden width of the training",
        source, name, found->second.shape, shape));
  }
  const std::vector<float> numbers = found->second.to_float32();
  ops::Floats floats(shape);
  std::copy(numbers.begin(), numbers.end(), floats.data());
  return floats;
}

io::TensorData to_file(const ops::Floats& numbers) {
  io::TensorData data;
  data.type = io::DataType::float32;
  data.shape = numbers.shape();
  data.bytes.resize(numbers.bytes());
  std::memcpy(data.bytes.data(), numbers.data(), data.bytes.size());
  return data;
}

}  // namespace

HeadWeights HeadWeights::from_tensors(const io::TensorMap& tensors, const std::string& source) {
  const std::string prefix = tensors.contains(std::string(kPrefix) + "fc1.weight") ? kPrefix : "";
  const auto first = tensors.find(prefix + "fc1.weight");
  if (first == tensors.end() || first->second.shape.size() != 2) {
    throw InputError(source + ": no energy head in this file (tensor 'energy_head.fc1.weight' is missing)");
  }
  const std::int64_t hidden = first->second.shape[0], width = first->second.shape[1];
  const std::int64_t shapes[3][2] = {{hidden, width}, {hidden / 2, hidden}, {1, hidden / 2}};
  HeadWeights weights;
  for (std::size_t i = 0; i < weights.layers.size(); ++i) {
    const std::string name = prefix + layer_name(i);
    const auto& [out, in] = shapes[i];
    weights.layers[i] = {.weight = take(tensors, name + ".weight", {out, in}, source),
                         .bias = take(tensors, name + ".bias", {out}, source)};
  }
  return weights;
}

io::TensorMap HeadWeights::to_tensors() const {
  io::TensorMap tensors;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    tensors[kPrefix + layer_name(i) + ".weight"] = to_file(layers[i].weight);
    tensors[kPrefix + layer_name(i) + ".bias"] = to_file(layers[i].bias);
  }
  return tensors;
}

}  // namespace molgauge::ood
