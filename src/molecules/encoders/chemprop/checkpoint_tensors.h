#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/io/tensors/checkpoint.h"
#include "base/io/tensors/tensor_size.h"
#include "molecules/encoders/chemprop/model.h"

namespace molgauge::encoders::chemprop {

/// The tensors of a checkpoint. Each part of the model takes its tensors. Tensors that remain at the end are
/// refused, because they belong to an unsupported part.
class Tensors {
 public:
  Tensors(io::TensorMap tensors, std::string file) : tensors_(std::move(tensors)), file_(std::move(file)) {}

  bool has(const std::string& name) const { return tensors_.contains(name); }
  const std::vector<std::int64_t>& shape(const std::string& name) const { return require(name).shape; }
  const io::TensorMap& all() const { return tensors_; }

  /// Takes a tensor of this shape.
  ops::Floats take(const std::string& name, const std::vector<std::int64_t>& shape) {
    const io::TensorData& tensor = require(name);
    if (tensor.shape != shape) {
      refuse(fmt::format("the tensor {} has the shape {}, expected {}", name, io::format_shape(tensor.shape),
                         io::format_shape(shape)));
    }
    const std::vector<float> numbers = checked_numbers(name, tensor);
    ops::Floats floats(shape);
    std::copy(numbers.begin(), numbers.end(), floats.data());
    tensors_.erase(name);
    return floats;
  }
  /// Takes the numbers of a tensor of any shape.
  std::vector<float> take_numbers(const std::string& name) {
    std::vector<float> numbers = checked_numbers(name, require(name));
    tensors_.erase(name);
    return numbers;
  }
  /// Takes the weight of a layer, and its bias if `has_bias` is set.
  ops::Linear take_linear(const std::string& name, std::int64_t out, std::int64_t in, bool has_bias) {
    ops::Linear linear;
    linear.weight = take(name + ".weight", {out, in});
    linear.bias = has_bias ? take(name + ".bias", {out}) : ops::Floats::zeros({out});
    return linear;
  }
  /// Returns the width of the matrix NAME.weight, or 0 if there is no such matrix.
  std::int64_t width(const std::string& name) const {
    const auto found = tensors_.find(name + ".weight");
    return found == tensors_.end() || found->second.shape.size() != 2 ? 0 : found->second.shape[1];
  }
  void drop(const std::string& prefix) {
    std::erase_if(tensors_, [&](const auto& tensor) { return tensor.first.starts_with(prefix); });
  }

  void require_nothing_left() const {
    if (!tensors_.empty()) {
      refuse(fmt::format(
          "the tensor {} belongs to a part of chemprop that is not supported, or that its settings "
          "do not have. Predict with chemprop, or train a model without this part",
          tensors_.begin()->first.substr(0, 100)));
    }
  }
  [[noreturn]] void refuse(const std::string& reason) const { throw InputError(file_ + ": " + reason); }

 private:
  const io::TensorData& require(const std::string& name) const {
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) {
      refuse(fmt::format(
          "has no tensor {}, which a model of chemprop with these settings has. The file is damaged, "
          "or it is not a model of chemprop",
          name));
    }
    return found->second;
  }

  std::vector<float> checked_numbers(const std::string& name, const io::TensorData& tensor) const {
    std::vector<float> numbers = tensor.to_float32();
    if (!std::all_of(numbers.begin(), numbers.end(), [](float number) { return std::isfinite(number); })) {
      refuse(fmt::format("the tensor {} holds numbers that are not finite. Train the model again", name));
    }
    return numbers;
  }

  io::TensorMap tensors_;
  std::string file_;
};

}  // namespace molgauge::encoders::chemprop
