#pragma once

#include <cstdint>

namespace molgauge::ops {

/// An ops::Coupling in float32, multiplied by the scale of its path.
struct ScaledCoupling {
  std::int32_t first, second, third;  ///< components of the input, of the harmonic and of the output
  float value;
};

/// Products of the channels of a path with harmonics for many edges. A vector contains one number of each
/// edge.
///
///     products[k, u, e] = sum over couplings (i, j, k) of value * rows[u, i, e] * harmonics[j, e]
struct PathProducts {
  const float* rows;  ///< [channels, components of the input, stride]: for each edge, numbers of its source
  const float* harmonics;  ///< [components of the harmonic, stride]
  const ScaledCoupling* couplings;
  std::int64_t coupling_count, channels;
  std::int64_t in_components, out_components;
  std::int64_t edges, stride;  ///< number of edges, and distance between the starts of two rows
};

}  // namespace molgauge::ops
