#include "molecules/ood/metrics/curves.h"

#include <limits>

#include "molecules/ood/metrics/score_counts.h"

namespace molgauge::ood {
namespace {

double share(std::uint64_t part, std::uint64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

std::vector<CurvePoint> roc_curve(std::span<const float> id, std::span<const float> ood) {
  std::vector<CurvePoint> curve = {{0, 0, std::numeric_limits<double>::infinity()}};
  for (const ScoreCounts& counts : cumulative_counts(id, ood)) {
    curve.push_back({share(counts.id, id.size()), share(counts.ood, ood.size()), counts.score});
  }
  return curve;
}

std::vector<CurvePoint> precision_recall_curve(std::span<const float> id, std::span<const float> ood) {
  std::vector<CurvePoint> curve = {{0, 1, std::numeric_limits<double>::infinity()}};
  for (const ScoreCounts& counts : cumulative_counts(id, ood)) {
    curve.push_back({share(counts.ood, ood.size()), precision(counts), counts.score});
  }
  return curve;
}

}  // namespace molgauge::ood
