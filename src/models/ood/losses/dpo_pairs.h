#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace headroom::ood {

/// A range of a group of energies.
struct EnergyRange {
  std::size_t first = 0, count = 0;
};

/// Pairs x_ij = a_i - b_j of two groups of scaled energies. Computes the sums of softplus(x_ij) and of
/// sigmoid(x_ij) for the preference loss. Two classes have the same interface:
///
///   add(rows, columns, id_sums, ood_sums) returns softplus summed over the pairs of a tile; adds to
///                                          id_sums [rows.count] and ood_sums [columns.count] the sigmoid
///                                          summed over the other group, up to a factor
///   id_factor(i), ood_factor(j)            that factor
///
/// The first row of a tile is a multiple of kRowStep and its first column a multiple of kColumnStep. The same
/// holds for its counts, except at the end of a group. The sums have room for whole steps.

/// Uses exp(a) and exp(-b) of each energy. A pair then needs no exponential and a quarter of a division
/// (numerics/ops/cpu/levels/pairs.h).
class FactoredPairs {
 public:
  static constexpr std::size_t kRowStep = 4, kColumnStep = 8;

  /// Whether the energies are small enough for exp(a), exp(-b) and their products. The energies are
  /// multiplied with beta, and the centre is subtracted.
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

}  // namespace headroom::ood
