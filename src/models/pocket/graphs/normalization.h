#pragma once

#include <array>
#include <cstdint>

#include "numerics/ops/array.h"

namespace headroom::pocket {

/// Mean and standard deviation of the three features of an atom (charge in e, atomic number, mass in amu)
/// over the atoms of a set of graphs. Features of files are as measured; what an encoder reads is (feature -
/// mean) / deviation.
struct FeatureNormalization {
  std::array<double, 3> mean{0, 0, 0};
  std::array<double, 3> deviation{1, 1, 1};

  /// features [n, 3], in place.
  void apply(ops::Floats& features) const;
  /// The inverse, in place.
  void undo(ops::Floats& features) const;
};

/// Sums over atoms, from which the normalisation follows. Sums of parts, added in a fixed order, give the
/// same normalisation in every run.
struct FeatureMoments {
  std::int64_t atoms = 0;
  std::array<double, 3> mean{0, 0, 0};
  std::array<double, 3> squares{0, 0, 0};  ///< sums of squared differences from the mean

  /// features [n, 3]
  static FeatureMoments of(const ops::Floats& features);
  /// Chan, Golub and LeVeque 1983: the moments of both parts together.
  void add(const FeatureMoments& other);
  /// Deviations of the population; 1 in place of one below 1e-8, as a feature that never changes has.
  FeatureNormalization normalization() const;
};

}  // namespace headroom::pocket
