#pragma once

#include <span>
#include <vector>

namespace molgauge::domain {

/// Computes how rare a score is among reference scores, on a scale that allows adding scores of different
/// kinds.
///
/// surprise(s) = -ln p(s), where p(s) = (1 + #{reference >= s}) / (m + 1). By this formula, all scores above
/// the largest reference score would have the same p. For such scores, p falls exponentially instead: -ln p
/// grows by (s - largest reference score) / (mean excess over the 90 % quantile).
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

}  // namespace molgauge::domain
