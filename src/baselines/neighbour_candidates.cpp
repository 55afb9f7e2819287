#include "baselines/neighbour_candidates.h"

#include <algorithm>

namespace headroom::baselines {

void NeighbourCandidates::offer(std::int32_t first_point, std::span<const float> values) {
  for (std::size_t j = 0; j < values.size(); ++j) {
    if (values[j] < bound_) {
      candidates_.push_back({values[j], first_point + static_cast<std::int32_t>(j)});
    }
  }
  // Not sooner: choosing costs as much as some thirty comparisons a candidate.
  if (candidates_.size() >= 2 * k_) {
    keep_smallest();
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
