#include "molecules/judging/predictions/venn_abers.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace molgauge::domain {
namespace {

/// A point of the cumulative sum diagram: the number of molecules so far, and the number of molecules of
/// class 1 among them.
struct Point {
  std::int64_t molecules = 0, positives = 0;
};

/// Twice the signed area of the triangle: positive if the path turns left at `b`.
std::int64_t turn(const Point& a, const Point& b, const Point& c) {
  return (b.molecules - a.molecules) * (c.positives - a.positives) -
         (b.positives - a.positives) * (c.molecules - a.molecules);
}

double slope(const Point& a, const Point& b) {
  return static_cast<double>(b.positives - a.positives) / static_cast<double>(b.molecules - a.molecules);
}

/// Element i is the value of the isotonic regression for a new molecule of class 1 that is placed before
/// group i (algorithms 1 and 2). The last element is for a molecule after all groups. `sums`: points after 0,
/// 1, ... groups.
std::vector<double> values_of_positive(const std::vector<Point>& sums) {
  const std::size_t groups = sums.size() - 1;
  // The diagram with the new molecule at its start, and a stack with the corners of its greatest convex
  // minorant. The last corner is at the bottom.
  std::vector<Point> points = {{-1, -1}};
  points.insert(points.end(), sums.begin(), sums.end());
  std::vector<Point> corners;
  for (auto point = points.rbegin(); point != points.rend(); ++point) {
    while (corners.size() > 1 && turn(*point, corners.back(), corners[corners.size() - 2]) <= 0) {
      corners.pop_back();
    }
    corners.push_back(*point);
  }
  std::vector<double> values;
  for (std::size_t i = 0; i < groups; ++i) {
    const Point top = corners.back(), next = corners[corners.size() - 2];
    values.push_back(slope(top, next));
    // Moves the new molecule behind group i. This changes the point between the group and the molecule.
    const Point moved{sums[i + 1].molecules - 1, sums[i + 1].positives - 1};
    if (turn(top, next, moved) >= 0) {
      continue;
    }
    corners.pop_back();
    while (corners.size() > 1 && turn(moved, corners.back(), corners[corners.size() - 2]) <= 0) {
      corners.pop_back();
    }
    corners.push_back(moved);
  }
  values.push_back(1);
  return values;
}

}  // namespace

VennAbers::VennAbers(std::span<const double> scores, const std::vector<bool>& labels) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t one, std::size_t other) { return scores[one] < scores[other]; });
  std::vector<Point> sums = {{0, 0}};
  for (const std::size_t i : order) {
    if (scores_.empty() || scores_.back() != scores[i]) {
      scores_.push_back(scores[i]);
      sums.push_back(sums.back());
    }
    ++sums.back().molecules;
    sums.back().positives += labels[i] ? 1 : 0;
  }
  upper_ = values_of_positive(sums);
  // The values for class 0 are the values for class 1 of the mirrored diagram, with reversed scores and
  // labels.
  std::vector<Point> mirrored;
  const Point all = sums.back();
  for (auto point = sums.rbegin(); point != sums.rend(); ++point) {
    const std::int64_t molecules = all.molecules - point->molecules;
    mirrored.push_back({molecules, molecules - (all.positives - point->positives)});
  }
  lower_ = values_of_positive(mirrored);
  std::reverse(lower_.begin(), lower_.end());
  for (double& value : lower_) {
    value = 1 - value;
  }
}

ProbabilityPair VennAbers::of(double score) const {
  const auto first = std::lower_bound(scores_.begin(), scores_.end(), score) - scores_.begin();
  const auto last = std::upper_bound(scores_.begin(), scores_.end(), score) - scores_.begin();
  return {lower_[static_cast<std::size_t>(last)], upper_[static_cast<std::size_t>(first)]};
}

}  // namespace molgauge::domain
