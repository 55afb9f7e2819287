#include "molecules/ood/metrics/metrics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "molecules/ood/metrics/score_counts.h"

namespace molgauge::ood {
namespace {

/// Calls visit(before, after) for the counts before and after each distinct score.
template <typename Visit>
void for_each_step(const std::vector<ScoreCounts>& counts, Visit visit) {
  ScoreCounts before;
  for (const ScoreCounts& after : counts) {
    visit(before, after);
    before = after;
  }
}

double area_under_roc(const std::vector<ScoreCounts>& counts) {
  std::uint64_t twice_won = 0;
  for_each_step(counts, [&](const ScoreCounts& before, const ScoreCounts& after) {
    twice_won += (before.ood + after.ood) * (after.id - before.id);
  });
  const ScoreCounts& total = counts.back();
  return static_cast<double>(twice_won) /
         (2.0 * static_cast<double>(total.ood) * static_cast<double>(total.id));
}

double area_under_precision_recall(const std::vector<ScoreCounts>& counts, MetricVariant variant) {
  double area = 0;
  for_each_step(counts, [&](const ScoreCounts& before, const ScoreCounts& after) {
    const double height =
        variant == MetricVariant::evaluation ? (precision(before) + precision(after)) / 2 : precision(after);
    area += static_cast<double>(after.ood - before.ood) * height;
  });
  return area / static_cast<double>(counts.back().ood);
}

/// Returns whether scikit-learn keeps ROC point i. scikit-learn keeps the first point, the last point, and
/// each point at which the increments of the counts change.
bool is_kept(const std::vector<ScoreCounts>& counts, std::size_t i) {
  if (i == 0 || i + 1 == counts.size()) {
    return true;
  }
  const ScoreCounts &before = counts[i - 1], &here = counts[i], &after = counts[i + 1];
  return after.ood - here.ood != here.ood - before.ood || after.id - here.id != here.id - before.id;
}

double false_positive_rate_on_curve(const std::vector<ScoreCounts>& counts) {
  const ScoreCounts& total = counts.back();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double true_positive_rate = static_cast<double>(counts[i].ood) / static_cast<double>(total.ood);
    if (true_positive_rate >= 0.95 && is_kept(counts, i)) {
      return static_cast<double>(counts[i].id) / static_cast<double>(total.id);
    }
  }
  return 1.0;
}

/// Uses the score at position p = floor(0.05 m) of the ascending OOD scores as threshold. At least m - p of
/// the m OOD scores reach it.
double false_positive_rate_at_position(const std::vector<ScoreCounts>& counts) {
  const ScoreCounts& total = counts.back();
  const auto position = static_cast<std::uint64_t>(0.05 * static_cast<double>(total.ood));
  const auto reached = std::find_if(counts.begin(), counts.end(),
                                    [&](const ScoreCounts& c) { return c.ood >= total.ood - position; });
  return static_cast<double>(reached->id) / static_cast<double>(total.id);
}

template <typename Score>
DetectionMetrics metrics_of(std::span<const Score> id, std::span<const Score> ood, MetricVariant variant) {
  const std::vector<ScoreCounts> counts = cumulative_counts(id, ood);
  return {area_under_roc(counts), area_under_precision_recall(counts, variant),
          variant == MetricVariant::evaluation ? false_positive_rate_on_curve(counts)
                                               : false_positive_rate_at_position(counts)};
}

template <typename Score>
ScoreSummary summary_of(std::span<const Score> scores) {
  const auto count = static_cast<double>(scores.size());
  ScoreSummary summary;
  for (const Score score : scores) {
    summary.mean += static_cast<double>(score) / count;
  }
  double variance = 0;
  for (const Score score : scores) {
    const double deviation = static_cast<double>(score) - summary.mean;
    variance += deviation * deviation / count;
  }
  summary.standard_deviation = std::sqrt(variance);
  return summary;
}

}  // namespace

DetectionMetrics detection_metrics(std::span<const float> id, std::span<const float> ood,
                                   MetricVariant variant) {
  return metrics_of(id, ood, variant);
}

DetectionMetrics detection_metrics(std::span<const double> id, std::span<const double> ood,
                                   MetricVariant variant) {
  return metrics_of(id, ood, variant);
}

DetectionMetrics id_positive_metrics(std::span<const float> id, std::span<const float> ood,
                                     MetricVariant variant) {
  const auto negated = [](std::span<const float> scores) {
    std::vector<float> result(scores.size());
    std::transform(scores.begin(), scores.end(), result.begin(), std::negate<>());
    return result;
  };
  const std::vector<float> positive = negated(id), negative = negated(ood);
  return detection_metrics(std::span<const float>(negative), std::span<const float>(positive), variant);
}

ScoreSummary summarize(std::span<const float> scores) { return summary_of(scores); }
ScoreSummary summarize(std::span<const double> scores) { return summary_of(scores); }

}  // namespace molgauge::ood
