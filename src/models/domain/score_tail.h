#pragma once

#include <span>
#include <vector>

namespace headroom::domain {

/// Computes how rare a score is among reference scores, on a scale that allows adding scores of different
/// kinds.
///
/// surprise(s) = -ln p(s), p(s) = (1 + #{reference >= s}) / (m + 1). All scores above the largest reference
/// score would have the same p. Therefore p falls exponentially there, and -ln p grows by the distance from
/// the largest reference score divided by the mean excess over the 90 % quantile.
class ScoreTail {
 public:
  ScoreTail() = default;
  /// `reference`: at least one score, all finite, in any order.
  explicit ScoreTail(std::vector<float> reference);

  double negative_log_survival(float score) const;
  /// Ascending.
  std::span<const float> scores() const { return scores_; }

 private:
  std::vector<float> scores_;
  double scale_ = 1;
};

}  // namespace headroom::domain
