#include "baselines/point_panels.h"

#include <algorithm>
#include <array>
#include <limits>

#include "baselines/each_processor.h"

namespace headroom::baselines {
namespace {

constexpr std::size_t kPoints = 16;  ///< of a panel: two registers of AVX2, one of AVX-512
constexpr std::size_t kQueries = 6;  ///< at a time: 6 x 16 sums and their operands fill AVX2's registers
constexpr std::size_t kTile =
    32;  ///< panels that every query of a batch looks at before the next: they stay in the cache

using Lanes [[gnu::vector_size(32)]] = float;
using LaneMask [[gnu::vector_size(32)]] = std::int32_t;
using Words [[gnu::vector_size(32)]] = std::int64_t;

/// Six queries, coordinate by coordinate, doubled with a minus sign.
using QueryGroup = std::vector<float>;  ///< [width, 6]

struct Panel {
  const float* coordinates;  ///< [width, 16]
  const float* norms;        ///< [16]
};

void load(const float* from, Lanes& lanes) { __builtin_memcpy(&lanes, from, sizeof lanes); }

bool any(const LaneMask& mask) {
  const auto words = reinterpret_cast<Words>(mask);
  return (words[0] | words[1] | words[2] | words[3]) != 0;
}

/// Fills values [6, 16] and returns which queries have one below their bound, as bits. Most have none.
HEADROOM_FOR_EACH_PROCESSOR
unsigned compare(std::size_t width, const float* queries, Panel panel, const float* bounds, float* values) {
  Lanes low[kQueries], high[kQueries];
  for (std::size_t q = 0; q < kQueries; ++q) {
    load(panel.norms, low[q]);
    load(panel.norms + kPoints / 2, high[q]);
  }
  for (std::size_t i = 0; i < width; ++i) {
    Lanes left, right;
    load(panel.coordinates + i * kPoints, left);
    load(panel.coordinates + i * kPoints + kPoints / 2, right);
#pragma GCC unroll 6
    for (std::size_t q = 0; q < kQueries; ++q) {
      low[q] += left * queries[i * kQueries + q];
      high[q] += right * queries[i * kQueries + q];
    }
  }
  unsigned below = 0;
#pragma GCC unroll 6
  for (std::size_t q = 0; q < kQueries; ++q) {
    const LaneMask mask = (low[q] < bounds[q]) | (high[q] < bounds[q]);
    if (any(mask)) {
      below |= 1U << q;
      __builtin_memcpy(values + q * kPoints, &low[q], sizeof(Lanes));
      __builtin_memcpy(values + q * kPoints + kPoints / 2, &high[q], sizeof(Lanes));
    }
  }
  return below;
}

}  // namespace

PointPanels::PointPanels(std::span<const float> points, std::size_t count, std::size_t width)
    : width_(width),
      panels_((count + kPoints - 1) / kPoints),
      coordinates_(panels_ * width * kPoints),
      squared_norms_(panels_ * kPoints, std::numeric_limits<float>::infinity()) {
  for (std::size_t point = 0; point < count; ++point) {
    float norm = 0;
    float* const lane = &coordinates_[point / kPoints * width * kPoints + point % kPoints];
    for (std::size_t i = 0; i < width; ++i) {
      const float coordinate = points[point * width + i];
      lane[i * kPoints] = coordinate;
      norm += coordinate * coordinate;
    }
    squared_norms_[point] = norm;
  }
}

void PointPanels::offer_all(std::span<const float> queries, std::span<NeighbourCandidates> candidates) const {
  const std::size_t groups = (candidates.size() + kQueries - 1) / kQueries;
  // A group that is not full is filled up with queries that no point is near enough to.
  std::vector<float> packed(groups * width_ * kQueries, 0.0F);
  for (std::size_t q = 0; q < candidates.size(); ++q) {
    for (std::size_t i = 0; i < width_; ++i) {
      packed[(q / kQueries * width_ + i) * kQueries + q % kQueries] = -2 * queries[q * width_ + i];
    }
  }
  std::array<float, kQueries * kPoints> values;
  for (std::size_t first = 0; first < panels_; first += kTile) {
    const std::size_t last = std::min(first + kTile, panels_);
    for (std::size_t group = 0; group < groups; ++group) {
      const auto own =
          candidates.subspan(group * kQueries, std::min(kQueries, candidates.size() - group * kQueries));
      std::array<float, kQueries> bounds;
      bounds.fill(-std::numeric_limits<float>::infinity());
      std::transform(own.begin(), own.end(), bounds.begin(), [](const auto& each) { return each.bound(); });
      for (std::size_t p = first; p < last; ++p) {
        const Panel panel{&coordinates_[p * width_ * kPoints], &squared_norms_[p * kPoints]};
        unsigned below =
            compare(width_, &packed[group * width_ * kQueries], panel, bounds.data(), values.data());
        for (std::size_t q = 0; below != 0; ++q, below >>= 1U) {
          if ((below & 1U) != 0) {
            own[q].offer(static_cast<std::int32_t>(p * kPoints),
                         std::span(values).subspan(q * kPoints, kPoints));
            bounds[q] = own[q].bound();
          }
        }
      }
    }
  }
}

}  // namespace headroom::baselines
