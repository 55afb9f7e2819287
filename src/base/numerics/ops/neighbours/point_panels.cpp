#include "base/numerics/ops/neighbours/point_panels.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/numerics/ops/cpu/instruction_level.h"
#include "base/numerics/ops/neighbours/integer_codes.h"

namespace molgauge::ops {
namespace {

using cpu::kGroupQueries;
using cpu::kPanelPoints;

/// Number of panels in a tile. All queries of a batch are compared with the panels of a tile before the next
/// tile, so the panels stay in the cache.
constexpr std::size_t kTile = 32;
constexpr double kSmallestNorm = 1e-17;

/// Writes the codes of a row in pairs. The distance between the pairs is `stride`.
void scatter(std::span<const std::int16_t> codes, std::size_t stride, std::int16_t* target) {
  for (std::size_t i = 0; i < codes.size(); ++i) {
    target[i / 2 * stride * 2 + i % 2] = codes[i];
  }
}

}  // namespace

struct PointPanels::CodedQueries {
  std::vector<std::int16_t> codes;  ///< [groups, pairs, 12, 2]
  std::vector<cpu::QueryGroup> groups;
  std::vector<NeighbourCandidates> candidates;
};

PointPanels::PointPanels(std::span<const float> points, std::size_t count, std::size_t width)
    : width_(width),
      pairs_((width + 1) / 2),
      panels_((count + kPanelPoints - 1) / kPanelPoints),
      count_(count),
      codes_(panels_ * pairs_ * kPanelPoints * 2),
      norms_(panels_ * kPanelPoints, std::numeric_limits<float>::infinity()) {
  for (std::size_t point = 0; point < count; ++point) {
    norm_ = std::max(norm_, norm_of(points.subspan(point * width, width)));
  }
  if (norm_ > 0 && norm_ < kSmallestNorm) {
    throw InputError(fmt::format(
        "the largest row of features has the norm {:.3g}. A search for neighbours needs one of {:g} or more, "
        "because it squares the features in single precision. Scale the features",
        norm_, kSmallestNorm));
  }
  step_ = code_step(norm_);
  for (std::size_t point = 0; point < count; ++point) {
    const IntegerCodes own = encode(points.subspan(point * width, width), step_);
    const std::size_t panel = point / kPanelPoints, lane = point % kPanelPoints;
    scatter(own.codes, kPanelPoints, &codes_[(panel * pairs_ * kPanelPoints + lane) * 2]);
    norms_[point] = static_cast<float>(own.squared_norm * step_ * step_);
    error_ = std::max(error_, own.error);
  }
}

PointPanels::CodedQueries PointPanels::code(std::span<const float> queries, std::size_t k) const {
  const std::size_t count = queries.size() / width_, groups = (count + kGroupQueries - 1) / kGroupQueries;
  const std::size_t group_codes = pairs_ * kGroupQueries * 2;
  CodedQueries coded{
      std::vector<std::int16_t>(groups * group_codes), std::vector<cpu::QueryGroup>(groups), {}};
  for (std::size_t q = 0; q < count; ++q) {
    const auto row = queries.subspan(q * width_, width_);
    const double norm = norm_of(row);
    const IntegerCodes own = encode(row, code_step(norm));
    const std::size_t group = q / kGroupQueries, place = q % kGroupQueries;
    scatter(own.codes, kGroupQueries, &coded.codes[group * group_codes + 2 * place]);
    coded.groups[group].weights[place] = static_cast<float>(2 * own.step * step_);
    // A value has four roundings: of the norm, the weight, the product and the difference. If a number is
    // smaller than every normal float, only its absolute error is bounded.
    const double rounding = 4 * std::numeric_limits<float>::epsilon() * (norm_ * norm_ + 2 * norm * norm_) +
                            4 * static_cast<double>(std::numeric_limits<float>::min());
    coded.candidates.emplace_back(
        k, DistanceKnowledge{own.squared_norm * own.step * own.step, own.error + error_, rounding});
  }
  for (std::size_t group = 0; group < groups; ++group) {
    coded.groups[group].codes = &coded.codes[group * group_codes];
  }
  return coded;
}

std::vector<NeighbourCandidates> PointPanels::near(std::span<const float> queries, std::size_t k) const {
  CodedQueries coded = code(queries, k);
  for (std::size_t first = 0; first < panels_; first += kTile) {
    for (std::size_t group = 0; group < coded.groups.size(); ++group) {
      const std::size_t query = group * kGroupQueries;
      offer(first, std::min(first + kTile, panels_), coded.groups[group],
            std::span(coded.candidates)
                .subspan(query, std::min(kGroupQueries, coded.candidates.size() - query)));
    }
  }
  for (const NeighbourCandidates& found : coded.candidates) {
    if (found.count() < std::min(k, count_)) {
      throw Error(fmt::format("a search for {} neighbours found {}. Please report this as a bug",
                              std::min(k, count_), found.count()));
    }
  }
  return std::move(coded.candidates);
}

void PointPanels::offer(std::size_t first_panel, std::size_t last_panel, cpu::QueryGroup group,
                        std::span<NeighbourCandidates> candidates) const {
  // An incomplete group is filled with queries whose bound is below every distance.
  std::fill_n(group.bounds, kGroupQueries, -std::numeric_limits<float>::infinity());
  std::transform(candidates.begin(), candidates.end(), group.bounds,
                 [](const auto& own) { return own.bound(); });
  const auto compare = cpu::kernels().compare_panel;
  cpu::PanelComparison found;
  for (std::size_t p = first_panel; p < last_panel; ++p) {
    const cpu::Panel panel{&codes_[p * pairs_ * kPanelPoints * 2], &norms_[p * kPanelPoints]};
    if (!compare(pairs_, group, panel, found)) {
      continue;
    }
    for (std::size_t q = 0; q < candidates.size(); ++q) {
      if (found.below[q] != 0) {
        candidates[q].offer(static_cast<std::int32_t>(p * kPanelPoints), found.below[q], found.values[q]);
        group.bounds[q] = candidates[q].bound();
      }
    }
  }
}

}  // namespace molgauge::ops
