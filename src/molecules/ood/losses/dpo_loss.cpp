#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/core/threads/worker_group.h"
#include "base/numerics/ops/cpu/instruction_level.h"
#include "molecules/ood/losses/loss_terms.h"

namespace molgauge::ood {
namespace {

/// A range of consecutive ID or OOD energies.
struct EnergyRange {
  std::size_t first = 0, count = 0;
};

/// Sums over the pairs x_ij = a_i - b_j of scaled ID energies a and scaled OOD energies b, for the preference
/// loss. A scaled energy is beta * (energy - centre). FactoredPairs and WidePairs have the same interface:
///
///   add(rows, columns, id_sums, ood_sums)  returns the sum of softplus(x_ij) over a tile of pairs. Adds the
///                                          row sums of sigmoid(x_ij) to id_sums [rows.count] and the column
///                                          sums to ood_sums [columns.count], except for a factor
///   id_factor(i), ood_factor(j)            the missing factor of id_sums[i] and of ood_sums[j]
///
/// The first row and the row count of a tile are multiples of kRowStep. The first column and the column count
/// are multiples of kColumnStep. At the end of a group, a tile can have fewer rows or columns. The arrays
/// of sums always have room for whole steps.

/// Uses exp(a) and exp(-b) of each energy. A pair then needs no exponential and a quarter of a division
/// (base/numerics/ops/cpu/levels/pairs.h).
class FactoredPairs {
 public:
  static constexpr std::size_t kRowStep = 4, kColumnStep = 8;

  /// Returns whether exp(a), exp(-b) and their products stay within the range of a double for these energies.
  static bool hold(std::span<const float> id, std::span<const float> ood, double beta, double centre);

  FactoredPairs(std::span<const float> id, std::span<const float> ood, double beta, double centre);

  double add(EnergyRange rows, EnergyRange columns, double* id_sums, double* ood_sums) const;
  double id_factor(std::size_t i) const { return growth_[i]; }
  double ood_factor(std::size_t j) const { return decay_[j]; }

 private:
  std::vector<double> growth_, decay_;  ///< padded with zeros to whole steps
  double largest_softplus_;
};

/// Works for energies of any size, but is about fifty times slower.
class WidePairs {
 public:
  static constexpr std::size_t kRowStep = 1, kColumnStep = 1;

  WidePairs(std::span<const float> id, std::span<const float> ood, double beta, double centre);

  double add(EnergyRange rows, EnergyRange columns, double* id_sums, double* ood_sums) const;
  double id_factor(std::size_t) const { return 1.0; }
  double ood_factor(std::size_t) const { return 1.0; }

 private:
  std::vector<double> id_, ood_;
};

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

/// The number of blocks of ID energies, for any number of threads. Each block has its own column sums, so the
/// memory is O(kBlocks * m).
constexpr std::size_t kBlocks = 16;

/// Number of columns in a tile. The factors and sums of a tile stay in the first-level cache while all rows
/// of a block are processed.
constexpr std::size_t kTileColumns = 1024;

/// Minimum number of pairs per thread. With fewer pairs, starting a thread costs more time than it saves.
constexpr std::size_t kPairsPerThread = 1'000'000;

std::size_t steps(std::size_t count, std::size_t step) { return (count + step - 1) / step; }

/// Computes the loss of n ID energies and m OOD energies.
template <typename Pairs>
LossTerm mean_over_pairs(const Pairs& pairs, std::size_t n, std::size_t m, double beta, std::size_t threads) {
  const std::size_t row_steps = steps(n, Pairs::kRowStep);
  const std::size_t width = steps(m, Pairs::kColumnStep) * Pairs::kColumnStep;
  const std::size_t blocks = std::min(kBlocks, row_steps);
  std::vector<double> id_sums(row_steps * Pairs::kRowStep), ood_sums(blocks * width), values(blocks);
  parallel_for(blocks, std::min(threads, n * m / kPairsPerThread), [&](std::size_t block) {
    const std::size_t first = block * row_steps / blocks * Pairs::kRowStep;
    const std::size_t last = std::min(n, (block + 1) * row_steps / blocks * Pairs::kRowStep);
    for (std::size_t column = 0; column < m; column += kTileColumns) {
      values[block] += pairs.add({first, last - first}, {column, std::min(kTileColumns, m - column)},
                                 &id_sums[first], &ood_sums[block * width + column]);
    }
  });

  const double mean = 1.0 / (static_cast<double>(n) * static_cast<double>(m));
  LossTerm term{mean * std::accumulate(values.begin(), values.end(), 0.0), std::move(id_sums),
                std::vector<double>(m)};
  term.id_gradient.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    term.id_gradient[i] *= beta * mean * pairs.id_factor(i);
  }
  for (std::size_t block = 0; block < blocks; ++block) {
    for (std::size_t j = 0; j < m; ++j) {
      term.ood_gradient[j] -= beta * mean * pairs.ood_factor(j) * ood_sums[block * width + j];
    }
  }
  return term;
}

}  // namespace

LossTerm dpo_loss(std::span<const float> id, std::span<const float> ood, double beta, std::size_t threads) {
  const double centre = ood.front();
  if (FactoredPairs::hold(id, ood, beta, centre)) {
    return mean_over_pairs(FactoredPairs(id, ood, beta, centre), id.size(), ood.size(), beta, threads);
  }
  return mean_over_pairs(WidePairs(id, ood, beta, centre), id.size(), ood.size(), beta, threads);
}

}  // namespace molgauge::ood
