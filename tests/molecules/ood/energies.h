#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace molgauge::test {

/// Normally distributed energies.
inline std::vector<float> energies(std::size_t count, double mean, double deviation, std::uint32_t seed) {
  std::mt19937 bits(seed);
  std::normal_distribution<double> normal(mean, deviation);
  std::vector<float> result(count);
  for (float& energy : result) {
    energy = static_cast<float>(normal(bits));
  }
  return result;
}

}  // namespace molgauge::test
