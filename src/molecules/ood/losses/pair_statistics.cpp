#include "molecules/ood/losses/pair_statistics.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "molecules/ood/losses/loss_terms.h"

namespace molgauge::ood {
namespace {

constexpr float kBoundary = 0.05F;

std::vector<float> sorted(std::span<const float> energies) {
  std::vector<float> result(energies.begin(), energies.end());
  std::sort(result.begin(), result.end());
  return result;
}

/// Counts the pairs (a, b) for which within(b - a) is true. `within` compares the difference, which is
/// rounded to float, with an upper limit. Rounding keeps the order, so the number of these b does not
/// decrease when a increases.
template <typename Within>
std::size_t count_pairs(const std::vector<float>& id, const std::vector<float>& ood, Within within) {
  std::size_t count = 0, below = 0;
  for (const float a : id) {
    while (below < ood.size() && within(ood[below] - a)) {
      ++below;
    }
    count += below;
  }
  return count;
}

}  // namespace

PairStatistics pair_statistics(std::span<const float> id, std::span<const float> ood) {
  const std::vector<float> a = sorted(id), b = sorted(ood);
  const double pairs = static_cast<double>(a.size()) * static_cast<double>(b.size());
  const std::size_t misranked = count_pairs(a, b, [](float d) { return d < 0; });
  const std::size_t below_upper = count_pairs(a, b, [](float d) { return d < kBoundary; });
  const std::size_t up_to_lower = count_pairs(a, b, [](float d) { return d <= -kBoundary; });
  return {static_cast<double>(misranked) / pairs, static_cast<double>(below_upper - up_to_lower) / pairs,
          mean(ood) - mean(id)};
}

}  // namespace molgauge::ood
