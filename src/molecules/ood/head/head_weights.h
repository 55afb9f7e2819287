#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/io/tensors/tensor_data.h"
#include "base/numerics/ops/dense.h"

namespace molgauge::ood {

/// The parameters of an energy head, which maps the fingerprint of a molecule to an energy: e(x) = W3 relu(W2
/// relu(W1 x + b1) + b2) + b3. The second layer is half as wide as the first (512-256-128-1 by default). A
/// larger energy means further out of distribution.
///
/// In files they are named fc1.weight [hidden, width], fc1.bias, fc2.weight [hidden / 2, hidden], fc2.bias,
/// fc3.weight [1, hidden / 2], fc3.bias, with the prefix "energy_head.".
struct HeadWeights {
  std::array<ops::Linear, 3> layers;

  std::int64_t feature_width() const { return layers[0].weight.size(1); }
  std::int64_t hidden_width() const { return layers[0].weight.size(0); }

  /// Reads the parameters under their names, with or without the prefix. The tensors determine the widths.
  /// Throws InputError with `source` if a tensor is missing or has another shape.
  static HeadWeights from_tensors(const io::TensorMap& tensors, const std::string& source);
  io::TensorMap to_tensors() const;
};

}  // namespace molgauge::ood
