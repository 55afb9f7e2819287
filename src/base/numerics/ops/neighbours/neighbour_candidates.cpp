#include "base/numerics/ops/neighbours/neighbour_candidates.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/numerics/ops/cpu/instruction_level.h"

namespace molgauge::ops {
namespace {

constexpr int kHalvings = 24;  ///< maximum number of steps, equal to the bits of the significand of a float

/// Returns a limit. At least k of the numbers, and usually at most k + k / 8, do not exceed the limit. The
/// function halves the range of the limit several times. The loop over the numbers has no branches, so it is
/// several times faster than std::nth_element.
float kth_or_slightly_more(std::span<const float> numbers, std::size_t k) {
  const cpu::Loops& loops = cpu::loops();
  auto [below, above] = loops.range_of(numbers);
  for (int i = 0; i < kHalvings; ++i) {
    const float middle = below + (above - below) / 2;
    const std::size_t count = loops.count_up_to(numbers, middle);
    (count >= k ? above : below) = middle;
    if (count >= k && count <= k + k / 8) {
      break;
    }
  }
  return above;
}

}  // namespace

/// For the nearer point, |x - q| <= |x' - q'| + error. For the farther point, |x - q| >= |x' - q'| - error.
float DistanceKnowledge::certainly_farther(float value) const {
  const double squared_distance = std::max(0.0, value + rounding + squared_norm);
  const double reach = std::sqrt(squared_distance) + 2 * error;
  const double bound = reach * reach - squared_norm + rounding;
  return std::nextafter(static_cast<float>(bound), std::numeric_limits<float>::infinity());
}

NeighbourCandidates::NeighbourCandidates(std::size_t k, const DistanceKnowledge& knowledge)
    : k_(k), knowledge_(knowledge) {
  make_room();
}

void NeighbourCandidates::offer(std::int32_t first_point, unsigned below, const float* values) {
  for (; below != 0; below &= below - 1) {
    const int lane = std::countr_zero(below);
    values_[count_] = values[lane];
    points_[count_++] = first_point + lane;
  }
  if (count_ >= enough_) {
    drop_farther();
    make_room();
  }
}

std::span<const std::int32_t> NeighbourCandidates::remaining() {
  if (count_ > k_) {
    drop_farther();
  }
  return std::span(points_).first(count_);
}

void NeighbourCandidates::make_room() {
  enough_ = 2 * std::max(k_, count_);
  if (values_.size() < enough_ + cpu::kPanelPoints) {
    values_.resize(enough_ + cpu::kPanelPoints);
    points_.resize(enough_ + cpu::kPanelPoints);
  }
}

void NeighbourCandidates::drop_farther() {
  const float kth = kth_or_slightly_more(std::span(values_).first(count_), k_);
  bound_ = knowledge_.certainly_farther(kth);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    const float value = values_[i];
    values_[kept] = value;
    points_[kept] = points_[i];
    kept += value < bound_ ? 1 : 0;
  }
  count_ = kept;
}

}  // namespace molgauge::ops
