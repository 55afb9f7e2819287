#include "molecules/judging/held_out_distribution.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace molgauge::domain {
namespace {

constexpr std::size_t kMinInTail = 20;

/// Returns the mean excess m of the largest scores (HeldOutDistribution). `ascending`: sorted scores, more
/// than kMinInTail.
double mean_excess(const std::vector<float>& ascending) {
  const std::size_t tail = std::max(kMinInTail, ascending.size() / 10);
  const std::size_t start = ascending.size() - tail;
  double sum = 0;
  for (std::size_t i = start; i < ascending.size(); ++i) {
    sum += static_cast<double>(ascending[i]) - ascending[start - 1];
  }
  const double mean = sum / static_cast<double>(tail);
  // If the mean excess is 0, because scores are equal, a thousandth of the score replaces it. This is an
  // arbitrary choice.
  return mean > 0 ? mean : std::max(1e-3 * std::abs(static_cast<double>(ascending.back())), 1e-6);
}

}  // namespace

HeldOutDistribution::HeldOutDistribution(std::vector<float> scores) : count_(scores.size()) {
  std::sort(scores.begin(), scores.end());
  const double denominator = static_cast<double>(count_) + 1;
  for (std::size_t first = 0; first < count_;) {
    std::size_t end = first;
    while (end < count_ && scores[end] == scores[first]) {
      ++end;
    }
    const std::size_t reached = count_ - first + (end - first > 1 ? 1 : 0), above = count_ - end + 1;
    points_.push_back({scores[first], static_cast<double>(reached) / denominator,
                       static_cast<double>(above) / denominator});
    first = end;
  }
  if (count_ >= kMinWithTail) {
    mean_excess_ = mean_excess(scores);
  }
}

double HeldOutDistribution::p_value(float score) const {
  const auto next = std::lower_bound(points_.begin(), points_.end(), score,
                                     [](const Point& point, float wanted) { return point.score < wanted; });
  if (next == points_.end()) {
    const Point& last = points_.back();
    const double excess = static_cast<double>(score) - last.score;
    return last.p_above *
           (has_tail() ? std::max(std::exp(-excess / mean_excess_), kFarthestExtrapolation) : 1);
  }
  if (next->score == score) {
    return next->p;
  }
  if (next == points_.begin()) {
    return 1;
  }
  const Point& before = *(next - 1);
  const double share =
      (static_cast<double>(score) - before.score) / (static_cast<double>(next->score) - before.score);
  return before.p_above * std::pow(next->p / before.p_above, share);
}

float HeldOutDistribution::threshold(double p) const {
  constexpr float kLargest = std::numeric_limits<float>::max();
  if (p >= 1) {
    return -std::numeric_limits<float>::infinity();
  }
  if (p_value(kLargest) > p) {
    return std::numeric_limits<float>::infinity();
  }
  // Bisection that keeps p_value(low) > p >= p_value(high). It ends when `low` and `high` are adjacent
  // floats.
  float low = std::nextafter(points_.front().score, -kLargest), high = kLargest;
  for (float middle = low / 2 + high / 2; middle > low && middle < high; middle = low / 2 + high / 2) {
    (p_value(middle) > p ? low : high) = middle;
  }
  return low;
}

}  // namespace molgauge::domain
