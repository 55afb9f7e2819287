#include "molecules/judging/score_tail.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace molgauge::domain {

ScoreTail::ScoreTail(std::vector<float> reference) : scores_(std::move(reference)) {
  std::sort(scores_.begin(), scores_.end());
  const std::size_t start = scores_.size() * 9 / 10;
  double excess = 0;
  for (std::size_t i = start; i < scores_.size(); ++i) {
    excess += static_cast<double>(scores_[i]) - scores_[start];
  }
  excess /= static_cast<double>(scores_.size() - start);
  // If the mean excess is 0, because scores are equal, a thousandth of the score replaces it. This is an
  // arbitrary choice.
  scale_ = excess > 0 ? excess : std::max(1e-3 * std::abs(static_cast<double>(scores_.back())), 1e-6);
}

double ScoreTail::negative_log_survival(float score) const {
  const auto reached = scores_.end() - std::lower_bound(scores_.begin(), scores_.end(), score);
  const double beyond = std::max(0.0, (static_cast<double>(score) - scores_.back()) / scale_);
  return -std::log((1.0 + static_cast<double>(reached)) / (static_cast<double>(scores_.size()) + 1)) + beyond;
}

}  // namespace molgauge::domain
