#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "molecules/judging/cosine_search.h"
#include "molecules/judging/environment_index.h"

namespace molgauge::domain {

/// The nearest rows of a query, and the sum of its density.
class NearestRows {
 public:
  NearestRows(const CosineSearch& search, std::span<const float> unit_query, std::size_t k,
              const Exclusion& exclusion)
      : search_(search), unit_query_(unit_query), k_(k), exclusion_(exclusion) {}

  /// Compares consecutive rows whose approximate distances are known (CosineSearch::error()).
  void offer(std::size_t first, std::span<const float> approximate) {
    for (std::size_t i = 0; i < approximate.size(); ++i) {
      if (may_be_near(approximate[i]) && !exclusion_.leaves_out(first + i)) {
        const float distance = search_.distance(unit_query_, first + i);
        if (nearest_.size() < k_ || distance < nearest_.back().distance) {
          insert({static_cast<std::uint32_t>(first + i), distance});
        }
      }
    }
  }

  /// Adds the densities exp(-d/h) of consecutive rows.
  void add(std::size_t first, std::span<const float> densities) {
    for (std::size_t i = 0; i < densities.size(); ++i) {
      if (!exclusion_.leaves_out(first + i)) {
        sum_ += densities[i];
        ++members_;
      }
    }
  }

  std::span<const Neighbour> nearest() const { return nearest_; }
  double mean_distance(std::size_t k) const {
    const std::size_t count = std::min(k, nearest_.size());
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
      sum += nearest_[i].distance;
    }
    return count == 0 ? 1 : sum / static_cast<double>(count);
  }
  /// Returns -ln of the mean of exp(-d/h).
  double density_surprise() const {
    constexpr double kLeast = 1e-300;
    return -std::log(std::max(kLeast, sum_ / static_cast<double>(std::max<std::size_t>(1, members_))));
  }

 private:
  bool may_be_near(float approximate) const {
    return nearest_.size() < k_ || approximate < nearest_.back().distance + search_.error();
  }

  /// Rows are offered in order, so of equal distances the first row stays nearer.
  void insert(Neighbour neighbour) {
    auto place = nearest_.end();
    while (place != nearest_.begin() && neighbour.distance < (place - 1)->distance) {
      --place;
    }
    nearest_.insert(place, neighbour);
    if (nearest_.size() > k_) {
      nearest_.pop_back();
    }
  }

  const CosineSearch& search_;
  std::span<const float> unit_query_;
  std::size_t k_;
  Exclusion exclusion_;
  std::vector<Neighbour> nearest_;
  double sum_ = 0;
  std::size_t members_ = 0;
};

}  // namespace molgauge::domain
