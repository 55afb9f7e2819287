#include "molecules/judging/predictions/conformal_quantile.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace molgauge::domain {
namespace {

/// The product of a share in this unit and a number of molecules below 10^10 fits in 64 bits.
constexpr std::uint64_t kUnit = 1'000'000'000;

/// 1 - coverage in units of 10^-9.
std::uint64_t error_rate(double coverage) {
  const auto rate = static_cast<std::uint64_t>(std::llround((1 - coverage) * static_cast<double>(kUnit)));
  return std::clamp<std::uint64_t>(rate, 1, kUnit - 1);
}

}  // namespace

double conformal_quantile(std::span<const double> scores, double coverage) {
  const std::uint64_t rank = error_rate(coverage) * (scores.size() + 1) / kUnit;
  if (rank == 0) {
    return std::numeric_limits<double>::infinity();
  }
  std::vector<double> sorted(scores.begin(), scores.end());
  const auto place = sorted.begin() + static_cast<std::ptrdiff_t>(rank - 1);
  std::nth_element(sorted.begin(), place, sorted.end(), std::greater<>());
  return *place;
}

std::size_t fewest_for_coverage(double coverage) {
  const std::uint64_t rate = error_rate(coverage);
  return (kUnit + rate - 1) / rate - 1;
}

bool exceeds_error_rate(std::size_t rank, std::size_t scores, double coverage) {
  return rank * kUnit > error_rate(coverage) * (scores + 1);
}

}  // namespace molgauge::domain
