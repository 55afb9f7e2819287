#pragma once

#include <cstddef>
#include <vector>

namespace molgauge::domain {

/// The distribution of the scores of held-out molecules, and the p-values that follow from it. Runs hold
/// molecules out of their training. A domain leaves out its training molecules one by one, so its scores are
/// only approximately exchangeable with the scores of new molecules (docs/explanation/domain.md).
///
/// The p-value of a score estimates how often a molecule of the same kind scores at least as high. With n
/// held-out molecules:
///
/// - The k-th largest held-out score has p = k / (n + 1). This is the exact probability that an exchangeable
///   molecule exceeds it (split conformal prediction, Bates et al. 2023, arXiv:2104.08279). If several
///   held-out scores are equal, p is the conformal p-value (1 + #{held out >= score}) / (n + 1).
/// - Between two held-out scores, ln p is interpolated linearly.
/// - Below the smallest held-out score, p = 1.
/// - Above the largest held-out score s, p = exp(-(score - s) / m) / (n + 1). The tail consists of the
///   largest tenth of the scores, and of at least 20 scores. m is the mean of their differences to the
///   largest score below the tail. An exponential tail is the limit for the excesses of many distributions
///   (Pickands 1975, DOI 10.1214/aos/1176343003, shape 0). n molecules say nothing about events that are much
///   rarer than 1 / n, so p is at least 1 / (100 (n + 1)). Below 40 held-out molecules there is no tail, and
///   p stays at 1 / (n + 1).
///
/// If the molecule and the held-out molecules are exchangeable and their scores differ, P(p <= a) = a for
/// every multiple a of 1 / (n + 1), and P(p <= a) < a + 1 / (n + 1) for every other a. Smaller p-values than
/// 1 / (n + 1) are an extrapolation. p never exceeds the conformal p-value.
class HeldOutDistribution {
 public:
  static constexpr std::size_t kMinWithTail = 40;
  /// The smallest extrapolated p-value divided by 1 / (n + 1).
  static constexpr double kFarthestExtrapolation = 0.01;

  /// `scores`: at least one, all finite, in any order.
  explicit HeldOutDistribution(std::vector<float> scores);

  /// Returns the p-value of a score. It is monotone: a larger score never has a larger p-value. The p-value
  /// of -infinity is 1.
  double p_value(float score) const;

  /// Returns the largest score with a p-value above `p`. A score has p_value <= p if and only if it is larger
  /// than this score. Returns +infinity if no finite score has such a p-value.
  float threshold(double p) const;

  std::size_t size() const { return count_; }
  /// 1 / (n + 1). Smaller p-values are extrapolated.
  double smallest_measured_p() const { return 1 / (static_cast<double>(count_) + 1); }
  /// Whether p-values continue below smallest_measured_p().
  bool has_tail() const { return mean_excess_ > 0; }

 private:
  struct Point {
    float score;
    double p;        ///< p-value of this score
    double p_above;  ///< the p-value just above this score. It is smaller than p if several held-out
                     ///< molecules have this score
  };
  std::size_t count_;
  std::vector<Point> points_;  ///< distinct scores, ascending
  double mean_excess_ = 0;     ///< 0 if there is no tail
};

}  // namespace molgauge::domain
