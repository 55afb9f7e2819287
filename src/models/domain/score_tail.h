#pragma once

#include <span>
#include <vector>

namespace headroom::domain {

/// The rarity of a score among reference scores, also beyond the largest of them, on a common scale, so that
/// scores of different kinds can be added.
///
/// surprise(s) = -ln p(s), p(s) = (1 + #{reference >= s}) / (m + 1). Above the largest reference score, where
/// all p would be equal, p falls exponentially with the mean excess over the 90 % quantile as its scale: -ln
/// p grows in proportion to the distance from there.
class ScoreTail {
 public:
  ScoreTail() = default;
  /// In any order; at least one, all finite.
  explicit ScoreTail(std::vector<float> reference);

  double negative_log_survival(float score) const;
  /// Ascending.
  std::span<const float> scores() const { return scores_; }

 private:
  std::vector<float> scores_;
  double scale_ = 1;
};

}  // namespace headroom::domain
