#include "baselines/neighbour_candidates.h"

#include <algorithm>

#include "baselines/each_processor.h"

namespace headroom::baselines {
namespace {

/// Numbers that are looked at together: few enough that most blocks hold nothing below the bound.
constexpr std::size_t kBlock = 32;

/// Writes the positions j with product[j] + norm[j] < bound; returns how many.
HEADROOM_FOR_EACH_PROCESSOR
std::size_t positions_below(float bound, std::size_t count, const float* product, const float* norm,
                            std::int32_t* positions) {
  std::size_t found = 0;
  for (std::size_t first = 0; first < count; first += kBlock) {
    const std::size_t last = first + kBlock < count ? first + kBlock : count;
    int any = 0;
#pragma omp simd reduction(| : any)
    for (std::size_t j = first; j < last; ++j) {
      any |= product[j] + norm[j] < bound ? 1 : 0;
    }
    for (std::size_t j = first; any != 0 && j < last; ++j) {
      positions[found] = static_cast<std::int32_t>(j);
      found += product[j] + norm[j] < bound ? 1 : 0;
    }
  }
  return found;
}

}  // namespace

void NeighbourCandidates::offer(std::int32_t first_point, std::size_t count, const float* product,
                                const float* norm) {
  constexpr std::size_t kAtATime = 256;
  std::int32_t positions[kAtATime + 1];  // the kernel writes one beyond what it counts
  for (std::size_t first = 0; first < count; first += kAtATime) {
    const std::size_t length = std::min(kAtATime, count - first);
    const std::size_t found = positions_below(bound_, length, product + first, norm + first, positions);
    for (std::size_t i = 0; i < found; ++i) {
      const auto j = first + static_cast<std::size_t>(positions[i]);
      candidates_.push_back({product[j] + norm[j], first_point + static_cast<std::int32_t>(j)});
    }
    // Not sooner: choosing costs as much as some thirty comparisons a candidate.
    if (candidates_.size() >= 2 * k_) {
      keep_smallest();
    }
  }
}

const std::vector<NeighbourCandidates::Candidate>& NeighbourCandidates::smallest() {
  if (candidates_.size() > k_) {
    keep_smallest();
  }
  return candidates_;
}

void NeighbourCandidates::keep_smallest() {
  const auto last = candidates_.begin() + static_cast<std::ptrdiff_t>(k_) - 1;
  std::nth_element(candidates_.begin(), last, candidates_.end(),
                   [](const Candidate& a, const Candidate& b) { return a.value < b.value; });
  bound_ = last->value;
  candidates_.resize(k_);
}

}  // namespace headroom::baselines
