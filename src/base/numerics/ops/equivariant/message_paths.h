#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/numerics/ops/equivariant/coupling.h"
#include "base/numerics/ops/equivariant/path_products.h"
#include "base/numerics/ops/equivariant/whole_vectors.h"

/// The paths of a tensor product in the form that messages use.
namespace molgauge::ops {

struct Path {
  const ProductPath* of;
  std::int64_t in_offset, in_components, out_components, harmonic_offset;
  std::vector<ScaledCoupling> couplings;
  std::int64_t packed_weights,
      packed_bias;  ///< offsets of the weights and bias of the path (message_weights.h)
};

/// Describes the paths of the product for which keep(path) is true.
std::vector<Path> describe_paths(const TensorProduct& product, std::int64_t hidden,
                                 const std::function<bool(const ProductPath&)>& keep);

}  // namespace molgauge::ops
