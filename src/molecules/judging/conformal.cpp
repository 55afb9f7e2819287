#include "molecules/judging/conformal.h"

#include <algorithm>
#include <cmath>

namespace molgauge::domain {

double percentile(std::span<const float> calibration, float score) {
  const auto below = std::upper_bound(calibration.begin(), calibration.end(), score) - calibration.begin();
  return 100.0 * static_cast<double>(below) / static_cast<double>(calibration.size());
}

std::vector<double> benjamini_hochberg(std::span<const double> p_values) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < p_values.size(); ++i) {
    if (!std::isnan(p_values[i])) {
      order.push_back(i);
    }
  }
  std::sort(order.begin(), order.end(), [&](std::size_t one, std::size_t other) {
    return p_values[one] < p_values[other] || (p_values[one] == p_values[other] && one < other);
  });
  std::vector<double> adjusted(p_values.begin(), p_values.end());
  const auto count = static_cast<double>(order.size());
  double least = 1;
  for (std::size_t rank = order.size(); rank > 0; --rank) {
    const std::size_t i = order[rank - 1];
    least = std::min(least, p_values[i] * count / static_cast<double>(rank));
    adjusted[i] = least;
  }
  return adjusted;
}

}  // namespace molgauge::domain
