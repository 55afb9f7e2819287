#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "base/train/parameters.h"
#include "molecules/ood/head/head_weights.h"

namespace molgauge::ood {

/// Dropout factors of the activations: each is 0 or 1 / (1 - p). If the tensors are undefined, no dropout is
/// applied.
struct DropoutMasks {
  at::Tensor first;   ///< [n, hidden]
  at::Tensor second;  ///< [n, hidden / 2]
};

/// Computes the energies [n], float32, of features [n, width] with the given parameters of a head. If `masks`
/// are defined, applies dropout, which is used only in training. Products and activations have the type
/// `precision`.
at::Tensor head_energies(const std::vector<train::Parameter>& parameters, const at::Tensor& features,
                         const DropoutMasks& masks = {}, at::ScalarType precision = at::kFloat);

/// An energy head (head_weights.h) in training. Parameters are float32 and named fc1.weight, fc1.bias and so
/// on. Forward passes may run on several threads at once.
class EnergyHead {
 public:
  /// Creates new parameters on the CPU like torch.nn.Linear: uniform within 1 / sqrt(inputs), weight before
  /// bias, layer by layer, from a generator with the seed `seed`. `hidden` must be even.
  EnergyHead(std::int64_t feature_width, std::int64_t hidden, std::uint64_t seed);

  /// Copies the weights. The parameters are on the CPU.
  explicit EnergyHead(const HeadWeights& weights);
  /// Returns a copy of the current parameters.
  HeadWeights weights() const;

  void to(at::Device device);

  std::int64_t feature_width() const;
  std::int64_t hidden_width() const;

  /// Calls head_energies() with the parameters of the head.
  at::Tensor forward(const at::Tensor& features, const DropoutMasks& masks = {},
                     at::ScalarType precision = at::kFloat) const;
  /// Draws dropout masks for n rows from `generator`, which must be on the device of the parameters. After
  /// each ReLU, an activation is dropped with probability p, and the other activations are divided by
  /// (1 - p). The masks are undefined if p is 0.
  DropoutMasks draw_masks(std::int64_t rows, double probability, at::Generator& generator) const;

  /// A copy of the head, on the same device.
  EnergyHead copy() const;

  /// The parameters, which are leaf tensors with gradients.
  const std::vector<train::Parameter>& parameters() const { return parameters_; }

 private:
  explicit EnergyHead(std::vector<train::Parameter> parameters);

  std::vector<train::Parameter> parameters_;
};

}  // namespace molgauge::ood
