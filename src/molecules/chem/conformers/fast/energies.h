#pragma once

#include <cstddef>
#include <vector>

#include "molecules/chem/conformers/fast/terms.h"

namespace molgauge::chem::fast {

/// A function of positions [dimensions, axis] (PairShape::axis) that can be minimised. The padding of
/// positions and slopes is zero.
class Energy {
 public:
  virtual ~Energy() = default;
  Energy(const Energy&) = delete;
  Energy& operator=(const Energy&) = delete;

  /// Returns the energy, and writes its derivatives.
  virtual double evaluate(const double* positions, double* slopes) = 0;

  PairShape shape() const { return shape_; }
  std::size_t dimensions() const { return dimensions_; }
  std::size_t width() const { return padded(dimensions_ * shape_.axis); }

 protected:
  Energy(std::size_t atoms, std::size_t dimensions);

  Points points(const double* positions) const;
  Slopes slopes(double* numbers) const;
  void add_pair_slopes(double* slopes) const;

  PairShape shape_;
  std::size_t dimensions_;
  AlignedVector<float> spread_, rest_, pair_slopes_;  ///< [dimensions, square]
  AlignedVector<double> work_;
};

/// Violations of distance limits and of chiral volumes (Blaney and Dixon 1994, function E3), and the fourth
/// dimension.
class ViolationEnergy : public Energy {
 public:
  /// Only pairs whose limits differ by at most `widest` angstrom count.
  ViolationEnergy(const EmbeddingTerms& terms, std::size_t dimensions, double widest);
  void set_weights(double chirality, double fourth_dimension);
  double evaluate(const double* positions, double* slopes) override;
  /// The largest energy of a single term in the last evaluation.
  double largest() const { return largest_; }

 private:
  double add_chirality(const double* positions, double* slopes);
  double add_fourth_dimension(const double* positions, double* slopes);

  const EmbeddingTerms& terms_;
  double chirality_ = 1, fourth_dimension_ = 0.1, largest_ = 0;
  AlignedVector<float> inverse_upper_squared_, lower_squared_;
};

/// Torsion preferences and basic knowledge of ETKDG (Riniker and Landrum 2015, DOI 10.1021/acs.jcim.5b00654).
/// Bonds and angles keep the distances of the first positions.
class PreferenceEnergy : public Energy {
 public:
  explicit PreferenceEnergy(const EmbeddingTerms& terms);
  /// Sets the distances of bonds and angles.
  void keep_distances(const double* positions);
  double evaluate(const double* positions, double* slopes) override;
  /// The energy of the inversion terms alone.
  double inversion_energy(const double* positions);

 private:
  double add_straight_angles(Points points, Slopes slopes) const;
  void set_interval(const double* positions, std::int32_t i, std::int32_t j);

  const EmbeddingTerms& terms_;
  AlignedVector<float> lower_, upper_, stiffness_;
  std::vector<double> unused_slopes_;
};

/// MMFF94.
class ForceFieldEnergy : public Energy {
 public:
  explicit ForceFieldEnergy(const ForceFieldTerms& terms);
  double evaluate(const double* positions, double* slopes) override;

 private:
  const ForceFieldTerms& terms_;
};

}  // namespace molgauge::chem::fast
