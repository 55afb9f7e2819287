#include "molecules/ood/losses/dpo_pairs.h"

#include <algorithm>
#include <cmath>

#include "base/numerics/ops/cpu/instruction_level.h"
#include "molecules/ood/losses/loss_terms.h"

namespace molgauge::ood {
namespace {

static_assert(FactoredPairs::kRowStep == ops::cpu::kPairRows);
static_assert(FactoredPairs::kColumnStep == ops::cpu::kPairColumns);

/// exp(2 * kLargestExponent) and exp(-2 * kLargestExponent) are normal numbers.
constexpr double kLargestExponent = 300.0;

/// Returns the largest x_ij of all pairs.
double largest_pair(std::span<const float> id, std::span<const float> ood, double beta) {
  const double highest = *std::max_element(id.begin(), id.end());
  const double lowest = *std::min_element(ood.begin(), ood.end());
  return beta * (highest - lowest);
}

/// exp(beta (energy - centre)), padded with zeros to a multiple of `step`.
std::vector<double> exponentials(std::span<const float> energies, double beta, double centre,
                                 std::size_t step) {
  std::vector<double> result((energies.size() + step - 1) / step * step);
  std::transform(energies.begin(), energies.end(), result.begin(),
                 [&](float energy) { return std::exp(beta * (energy - centre)); });
  return result;
}

std::vector<double> scaled(std::span<const float> energies, double beta, double centre) {
  std::vector<double> result(energies.size());
  std::transform(energies.begin(), energies.end(), result.begin(),
                 [&](float energy) { return beta * (energy - centre); });
  return result;
}

std::size_t whole_steps(std::size_t count, std::size_t step) { return (count + step - 1) / step * step; }

}  // namespace

bool FactoredPairs::hold(std::span<const float> id, std::span<const float> ood, double beta, double centre) {
  const auto holds = [&](float energy) { return std::abs(beta * (energy - centre)) <= kLargestExponent; };
  return std::all_of(id.begin(), id.end(), holds) && std::all_of(ood.begin(), ood.end(), holds) &&
         softplus(largest_pair(id, ood, beta)) <= ops::cpu::kLargestPairSoftplus;
}

FactoredPairs::FactoredPairs(std::span<const float> id, std::span<const float> ood, double beta,
                             double centre)
    : growth_(exponentials(id, beta, centre, kRowStep)),
      decay_(exponentials(ood, -beta, centre, kColumnStep)),
      largest_softplus_(softplus(largest_pair(id, ood, beta))) {}

double FactoredPairs::add(EnergyRange rows, EnergyRange columns, double* id_sums, double* ood_sums) const {
  return ops::cpu::kernels().preference_pairs(
      {.growth = growth_.data() + rows.first,
       .decay = decay_.data() + columns.first,
       .row_sums = id_sums,
       .column_sums = ood_sums,
       .largest_softplus = largest_softplus_,
       .rows = static_cast<std::int64_t>(whole_steps(rows.count, kRowStep)),
       .columns = static_cast<std::int64_t>(whole_steps(columns.count, kColumnStep))});
}

WidePairs::WidePairs(std::span<const float> id, std::span<const float> ood, double beta, double centre)
    : id_(scaled(id, beta, centre)), ood_(scaled(ood, beta, centre)) {}

/// softplus(x) = max(x, 0) + log(1 + exp(-|x|)). sigmoid(x) = 1 / (1 + exp(-|x|)) for x >= 0. For x < 0,
/// sigmoid(x) = exp(-|x|) / (1 + exp(-|x|)).
double WidePairs::add(EnergyRange rows, EnergyRange columns, double* id_sums, double* ood_sums) const {
  double total = 0;
  for (std::size_t i = 0; i < rows.count; ++i) {
    for (std::size_t j = 0; j < columns.count; ++j) {
      const double x = id_[rows.first + i] - ood_[columns.first + j];
      const double small = std::exp(-std::abs(x));
      const double sigmoid = (x >= 0 ? 1.0 : small) / (1.0 + small);
      total += std::max(x, 0.0) + std::log1p(small);
      id_sums[i] += sigmoid;
      ood_sums[j] += sigmoid;
    }
  }
  return total;
}

}  // namespace molgauge::ood
