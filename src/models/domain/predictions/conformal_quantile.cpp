#include "models/domain/predictions/conformal_quantile.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

namespace headroom::domain {
namespace {

std::size_t rank_of(std::size_t scores, double coverage) {
  return static_cast<std::size_t>((1 - coverage) * static_cast<double>(scores + 1));
}

}  // namespace

double conformal_quantile(std::span<const double> scores, double coverage) {
  const std::size_t rank = rank_of(scores.size(), coverage);
  if (rank == 0) {
    return std::numeric_limits<double>::infinity();
  }
  std::vector<double> sorted(scores.begin(), scores.end());
  const auto place = sorted.begin() + static_cast<std::ptrdiff_t>(rank - 1);
  std::nth_element(sorted.begin(), place, sorted.end(), std::greater<>());
  return *place;
}

std::size_t fewest_for_coverage(double coverage) {
  auto count = static_cast<std::size_t>(std::max(0.0, 1 / (1 - coverage) - 2));
  while (rank_of(count, coverage) == 0) {
    ++count;
  }
  return count;
}

}  // namespace headroom::domain
