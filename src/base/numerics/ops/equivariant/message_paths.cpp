#include "base/numerics/ops/equivariant/message_paths.h"

namespace molgauge::ops {

std::vector<Path> describe_paths(const TensorProduct& product, std::int64_t hidden,
                                 const std::function<bool(const ProductPath&)>& keep) {
  std::vector<Path> paths;
  std::int64_t weights = 0, bias = 0;
  for (const ProductPath& path : product.paths()) {
    if (!keep(path)) {
      continue;
    }
    paths.push_back({.of = &path,
                     .in_offset = product.in().offset(path.in),
                     .in_components = product.in().blocks()[path.in].components(),
                     .out_components = product.out().blocks()[path.out].components(),
                     .harmonic_offset = product.harmonics().offset(path.harmonic),
                     .couplings = {},
                     .packed_weights = weights,
                     .packed_bias = bias});
    for (const Coupling& coupling : path.couplings) {
      paths.back().couplings.push_back(
          {coupling.first, coupling.second, coupling.third, static_cast<float>(path.scale * coupling.value)});
    }
    weights += path.in_channels * padded(hidden) * padded(path.out_channels);
    bias += path.in_channels * padded(path.out_channels);
  }
  return paths;
}

}  // namespace molgauge::ops
