#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace molgauge::ood {

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

}  // namespace molgauge::ood
