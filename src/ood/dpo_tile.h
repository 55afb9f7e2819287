#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace headroom::ood {

/// Energies times beta, centred, with exp(e) and exp(-e) of each: exp(-|x|) of a pair x = a - b is then the
/// smaller of two products, and a pair costs no exponential.
struct ScaledEnergies {
  std::vector<double> value, growth, decay;

  /// value = beta * (energy - centre)
  ScaledEnergies(std::span<const float> energies, double beta, double centre);
  /// Whether every value is small enough for the products of two groups to stay within double (|value| <=
  /// 350).
  bool products_are_finite() const;
};

/// A range of an array of energies.
struct EnergyRange {
  std::size_t first = 0, count = 0;
};

/// One tile of pairs x_ij = id_i - ood_j and where its sums go.
struct DpoTile {
  const ScaledEnergies& id;
  const ScaledEnergies& ood;
  EnergyRange rows, columns;  ///< columns.count at most kMaximumColumns
  double* id_sum;             ///< [rows.count], sigmoid(x_ij) summed over the columns is added
  double* ood_sum;            ///< [columns.count], sigmoid(x_ij) summed over the rows is added

  /// Bounds the product of (1 + exp(-|x|)), each at most 2, that a row forms before its logarithm is taken.
  static constexpr std::size_t kMaximumColumns = 512;
};

/// Sum over the tile of softplus(x_ij). Both groups' products_are_finite(). Vectorised for the processor it
/// runs on.
double accumulate_dpo_tile(const DpoTile& tile);

/// The same for energies of any size; some ten times slower.
double accumulate_wide_dpo_tile(const DpoTile& tile);

}  // namespace headroom::ood
