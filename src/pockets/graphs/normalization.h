#pragma once

#include <array>
#include <cstdint>

#include "base/numerics/ops/array.h"

namespace molgauge::pocket {

/// Mean and standard deviation of the three features of an atom (charge in e, atomic number, mass in amu)
/// over the atoms of a set of graphs. Files contain the measured features. The input of an encoder is
/// (feature - mean) / deviation.
struct FeatureNormalization {
  std::array<double, 3> mean{0, 0, 0};
  std::array<double, 3> deviation{1, 1, 1};

  /// Normalises features [n, 3] in place.
  void apply(ops::Floats& features) const;
  /// Reverses apply() in place.
  void undo(ops::Floats& features) const;
};

/// Sums over atoms, to compute the normalisation. Partial sums are added in a fixed order, so every run gives
/// the same normalisation.
struct FeatureMoments {
  std::int64_t atoms = 0;
  std::array<double, 3> mean{0, 0, 0};
  std::array<double, 3> squares{0, 0, 0};  ///< sums of squared differences from the mean

  /// Computes the moments of features [n, 3].
  static FeatureMoments of(const ops::Floats& features);
  /// Adds the moments of another part (Chan, Golub and LeVeque 1983).
  void add(const FeatureMoments& other);
  /// Returns the means and the population standard deviations. A deviation below 1e-8 is replaced by 1, for
  /// example if a feature is constant.
  FeatureNormalization normalization() const;
};

}  // namespace molgauge::pocket
