#include "molecules/baselines/classifier/classifier.h"

#include <cmath>
#include <functional>

#include <ATen/CPUGeneratorImpl.h>

#include "base/core/error.h"
#include "base/numerics/torch/tensor_files.h"

namespace molgauge::baselines {
namespace {

/// The index of linear layer i in the torch.nn.Sequential of the published program. The modules of the first
/// layer are linear, ReLU and dropout. The modules of each later hidden layer are linear, normalisation, ReLU
/// and dropout.
std::int64_t linear_place(std::int64_t i) { return i == 0 ? 0 : 3 + 4 * (i - 1); }

std::string tensor_name(std::int64_t place, const char* tensor) {
  return "network." + std::to_string(place) + "." + tensor;
}

/// Calls visit(name, tensor) for every tensor of the classifier, with its name in the file.
void for_each_tensor(const Classifier& classifier,
                     const std::function<void(const std::string&, const at::Tensor&)>& visit) {
  for (std::int64_t i = 0; i < classifier.shape().layers; ++i) {
    const auto& layer = classifier.parameters().layers[static_cast<std::size_t>(i)];
    const std::int64_t place = linear_place(i);
    visit(tensor_name(place, "weight"), layer.weight);
    visit(tensor_name(place, "bias"), layer.bias);
    if (classifier.shape().is_normalized(i)) {
      visit(tensor_name(place + 1, "weight"), layer.norm_weight);
      visit(tensor_name(place + 1, "bias"), layer.norm_bias);
      visit(tensor_name(place + 1, "running_mean"), classifier.running_mean(i));
      visit(tensor_name(place + 1, "running_var"), classifier.running_variance(i));
    }
  }
}

const ClassifierShape& possible(const ClassifierShape& shape) {
  if (shape.inputs < 1 || shape.hidden < 1 || shape.outputs < 1) {
    throw UsageError("a classifier's widths are at least 1");
  }
  if (shape.layers < 2) {
    throw UsageError("a classifier has at least 2 layers, not " + std::to_string(shape.layers));
  }
  return shape;
}

ClassifierShape shape_in(const io::TensorMap& tensors, const std::string& source) {
  const auto dimensions = [&](std::int64_t layer) {
    const auto found = tensors.find(tensor_name(linear_place(layer), "weight"));
    return found == tensors.end() || found->second.shape.size() != 2 ? std::vector<std::int64_t>{}
                                                                     : found->second.shape;
  };
  ClassifierShape shape;
  shape.layers = 0;
  while (!dimensions(shape.layers).empty()) {
    shape.outputs = dimensions(shape.layers)[0];
    ++shape.layers;
  }
  if (shape.layers < 2) {
    throw InputError(source +
                     ": no classifier in this file ('network.0.weight' and 'network.3.weight' are required)");
  }
  shape.hidden = dimensions(0)[0];
  shape.inputs = dimensions(0)[1];
  return shape;
}

}  // namespace

ClassifierParameters::ClassifierParameters(const ClassifierShape& shape) {
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < shape.layers; ++i) {
    count += (shape.layer_inputs(i) + 1) * shape.layer_outputs(i);
    count += shape.is_normalized(i) ? 2 * shape.hidden : 0;
  }
  all = at::zeros({count}, at::kFloat);
  std::int64_t next = 0;
  const auto take = [&](std::int64_t numbers) {
    next += numbers;
    return all.narrow(0, next - numbers, numbers);
  };
  for (std::int64_t i = 0; i < shape.layers; ++i) {
    const std::int64_t in = shape.layer_inputs(i), out = shape.layer_outputs(i);
    Layer layer;
    layer.weight = take(out * in).view({out, in});
    layer.bias = take(out);
    if (shape.is_normalized(i)) {
      layer.norm_weight = take(out);
      layer.norm_bias = take(out);
    }
    layers.push_back(std::move(layer));
  }
}

Classifier::Classifier(const ClassifierShape& shape) : shape_(shape), parameters_(shape) {
  for (std::int64_t i = 0; i < shape.layers; ++i) {
    running_mean_.push_back(shape.is_normalized(i) ? at::zeros({shape.hidden}, at::kFloat) : at::Tensor());
    running_variance_.push_back(shape.is_normalized(i) ? at::ones({shape.hidden}, at::kFloat) : at::Tensor());
  }
}

Classifier::Classifier(const ClassifierShape& shape, std::uint64_t seed) : Classifier(possible(shape)) {
  at::Generator generator = at::detail::createCPUGenerator(seed);
  for (auto& layer : parameters_.layers) {
    const double bound = 1.0 / std::sqrt(static_cast<double>(layer.weight.size(1)));
    layer.weight.uniform_(-bound, bound, generator);
    layer.bias.uniform_(-bound, bound, generator);
    if (layer.norm_weight.defined()) {
      layer.norm_weight.fill_(1);
    }
  }
}

Classifier Classifier::from_tensors(const io::TensorMap& tensors, const std::string& source) {
  Classifier classifier(shape_in(tensors, source));
  for_each_tensor(classifier, [&](const std::string& name, const at::Tensor& tensor) {
    tensor.copy_(torch::take_tensor(tensors, name, tensor.sizes(), source));
  });
  return classifier;
}

io::TensorMap Classifier::to_tensors() const {
  io::TensorMap tensors;
  for_each_tensor(*this, [&](const std::string& name, const at::Tensor& tensor) {
    tensors[name] = torch::to_file(tensor);
  });
  return tensors;
}

Classifier Classifier::copy() const {
  Classifier twin(shape_);
  twin.parameters_.all.copy_(parameters_.all);
  for (std::size_t i = 0; i < running_mean_.size(); ++i) {
    if (running_mean_[i].defined()) {
      twin.running_mean_[i].copy_(running_mean_[i]);
      twin.running_variance_[i].copy_(running_variance_[i]);
    }
  }
  return twin;
}

}  // namespace molgauge::baselines
